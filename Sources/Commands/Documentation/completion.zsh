#compdef storescope
# Completion of storescope for zsh; made by `storescope completions zsh`.

# Words that only storescope can list: it gets the line up to the cursor.
_storescope_ask() {
  local -a answers whole begun
  local answer
  answers=("${(@f)$("${(Q)storescope_line[1]}" __complete --quoted -- \
    "${(@)storescope_line[2,storescope_cursor]}" 2>/dev/null)}")
  # Of --author=app only the value is being completed.
  answers=("${(@)answers#$IPREFIX}")
  for answer in $answers; do
    if [[ $answer == *[=/.] || $answer == */p ]]; then begun+=("$answer"); else whole+=("$answer"); fi
  done
  local expl
  _wanted values expl "${1:-value}" compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a whole
  _wanted values expl "${1:-value}" compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -S '' -a begun
  (($#whole + $#begun))
}

_storescope() {
  local curcontext=$curcontext state line
  local -a storescope_line commands
  storescope_line=("${(@)words[1,CURRENT]}")
  local storescope_cursor=$CURRENT
  commands=(
{{names}}
    'help:show a command'\''s arguments and options'
  )
  if ((CURRENT == 2)); then
    _describe -t commands 'command' commands
    _files
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{{commands}}
    help) _describe -t commands 'command' commands ;;
    *) _arguments '*::value:_storescope_ask' ;;
  esac
}

_storescope "$@"
