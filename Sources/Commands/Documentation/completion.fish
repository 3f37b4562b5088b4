# Completion of storescope for fish; made by `storescope completions fish`.

# Words that only storescope can list: it gets the line up to the cursor.
function __storescope_ask
  set -l words (string escape -- (commandline -opc)) (commandline -ct)
  command storescope __complete --quoted -- $words[2..-1] 2>/dev/null
end

# The same for an option's value: only the part after '=' of a word such as --author=app.
function __storescope_ask_value
  __storescope_ask | string replace -r -- '^--[a-z-]+=' ''
end

function __storescope_is_first
  test (count (commandline -opc)) -eq 1
end

function __storescope_has_command
  set -l words (commandline -opc)
  test (count $words) -gt 1; and contains -- $words[2] $argv
end

complete -c storescope -f
complete -c storescope -n __storescope_is_first -F
complete -c storescope -n 'not __storescope_is_first' -a '(__storescope_ask)'
complete -c storescope -n '__storescope_has_command help' -a {{names}}
{{commands}}
