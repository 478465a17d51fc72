# Completion of guild-hall for bash (3.2 and newer). Made by: guild-hall completion bash
# The program itself says what may follow; ids, names and paths come from the running hall.

_guild_hall() {
  local rest="${COMP_LINE:0:COMP_POINT}" before= piece current index
  local -a words=()
  # bash splits words at `=` and `:` as well; what has no space between belongs together.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    piece="${COMP_WORDS[index]}"
    if ((index > 0)) && [[ $rest == "${rest#[[:space:]]}" && -n $rest ]]; then
      before="${words[${#words[@]} - 1]}"
    else
      rest="${rest#"${rest%%[![:space:]]*}"}"
      before=
      words[${#words[@]}]=
    fi
    # Of the last one only what stands before the cursor.
    ((index < COMP_CWORD)) || piece="$rest"
    words[${#words[@]} - 1]="$before$piece"
    rest="${rest#"$piece"}"
  done
  # What bash takes for the beginning of the word is not given again.
  [[ $piece == [=:] ]] && before="$before$piece"

  local quote= bare
  local -a asked=()
  for ((index = 1; index < ${#words[@]}; index++)); do
    bare="${words[index]}"
    bare="${bare//\\/}"
    bare="${bare//\"/}"
    asked[${#asked[@]}]="${bare//\'/}"
  done
  current="${asked[${#asked[@]} - 1]}"
  [[ ${piece:0:1} == [\"\'] ]] && quote="${piece:0:1}"

  local value about width=0
  local -a values=() abouts=()
  COMPREPLY=()
  while IFS=$'\t' read -r value about; do
    if [[ $value == :files ]]; then
      type compopt >/dev/null 2>&1 && compopt -o filenames
      while IFS= read -r value; do
        COMPREPLY[${#COMPREPLY[@]}]="$value"
      done < <(compgen -f -- "$current")
      return
    fi
    value="${value#"${before//[\"\']/}"}"
    # Within quotes nothing is inserted that would end them or be expanded in them.
    case "$quote" in
      \') [[ $value != *\'* ]] || continue ;;
      \") [[ $value != *[\"\$\`\\!]* ]] || continue ;;
      *) printf -v value %q "$value" ;;
    esac
    values[${#values[@]}]="$value"
    abouts[${#abouts[@]}]="$about"
    ((${#value} > width)) && width=${#value}
  done < <("${words[0]/#\~/$HOME}" __complete "${asked[@]}" 2>/dev/null)

  # While a list is shown, each is explained; what is inserted bears no explanation.
  local room=$((${COLUMNS:-80} - width - 6)) line
  for ((index = 0; index < ${#values[@]}; index++)); do
    line="${values[index]}"
    about="${abouts[index]}"
    if ((${#values[@]} > 1 && room > 10)) && [[ -n $about && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
      ((${#about} <= room)) || about="${about:0:room - 1}…"
      printf -v line "%-${width}s  (%s)" "$line" "$about"
    fi
    COMPREPLY[${#COMPREPLY[@]}]="$line"
  done
}

# `nosort` (bash 4.4) keeps the likeliest first.
complete -o nosort -F _guild_hall guild-hall 2>/dev/null || complete -F _guild_hall guild-hall
