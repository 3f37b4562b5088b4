# Completion of storescope for bash; made by `storescope completions bash`.

_storescope() {
  COMPREPLY=()
  # Bash cuts words at '=' and ':'; what no blank separates is one word again.
  local -a words=()
  local word blanks rest=${COMP_LINE:0:COMP_POINT} index
  for ((index = 0; index <= COMP_CWORD; index++)); do
    blanks=${rest%%[![:blank:]]*}
    rest=${rest:${#blanks}}
    word=${COMP_WORDS[index]}
    if ((index == COMP_CWORD)); then word=$rest; fi
    rest=${rest:${#word}}
    if [[ -z $blanks ]] && ((${#words[@]} > 0)); then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  local count=${#words[@]}
  if ((count < 2)); then return; fi
  local current=${words[count-1]} previous=${words[count-2]} command=${words[1]} known=

  if ((count > 2)); then
    case $command in
{{options}}
    esac
    if [[ $current != -* || " ${words[*]:2:count-3} " == *' -- '* ]]; then known=; fi
    case "$command $previous" in
{{choices}}
    esac
  fi

  local candidate
  while IFS= read -r candidate; do
    if [[ $candidate == *[=/.] || $candidate == */p ]]; then
      if type compopt >/dev/null 2>&1; then compopt -o nospace 2>/dev/null; fi
    fi
    COMPREPLY+=("$candidate")
  done < <(
    if [[ -n $known && $current != *=* ]]; then
      compgen -W "$known" -- "$current"
    else
      "${words[0]/#\~\//$HOME/}" __complete --bash "$COMP_WORDBREAKS" -- "${words[@]:1}" 2>/dev/null
    fi
  )
}

complete -F _storescope storescope
