#compdef guild-hall
# Completion of guild-hall for zsh. Made by: guild-hall completion zsh
# The program itself says what may follow; ids, names and paths come from the running hall.

_guild_hall() {
  local line value
  local -a lines values shown typed
  local width=0 program="${(Q)words[1]}"
  program="${program/#\~/$HOME}"
  typed=("${(@Q)words[2,CURRENT - 1]}" "${(Q)PREFIX}")
  lines=("${(@f)$("$program" __complete "${(@)typed}" 2>/dev/null)}")

  for line in "${(@)lines}"; do
    value="${line%%$'\t'*}"
    [[ -z $value || $value == :files ]] && continue
    values+=("$value")
    ((${#value} > width)) && width=${#value}
  done
  for line in "${(@)lines}"; do
    value="${line%%$'\t'*}"
    [[ -z $value || $value == :files ]] && continue
    if [[ $line == *$'\t'?* ]]; then
      shown+=("${(r:width:)value}  -- ${line#*$'\t'}")
    else
      shown+=("$value")
    fi
  done

  if ((${#values})); then
    compadd -V guild-hall -l -d shown -a values && return 0
  fi
  [[ ${lines[-1]} == :files ]] && _files
}

# Read from ~/.zshrc it registers itself; as a file of fpath it is called to complete.
if [[ ${funcstack[1]} == _guild[-_]hall ]]; then
  _guild_hall "$@"
else
  (($+functions[compdef])) || { autoload -Uz compinit && compinit; }
  compdef _guild_hall guild-hall
fi
