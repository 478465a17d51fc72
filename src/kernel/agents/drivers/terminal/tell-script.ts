/**
 * The hook of every agent's program: a fixed script for `sh` that puts what it is told (standard input, or its one
 * argument) into a file of the terminal's folder of signals, whole or not at all, also while no hall runs. It takes
 * nothing of that for words of its own.
 */
export const tellScript = `# Written by the hall; says to it what the program in this terminal tells.
umask 077
dir=$GUILD_HALL_SIGNALS
now=$(date +%s%N)
case $now in *[!0-9]*) now=$(perl -MTime::HiRes=time -e 'printf "%.0f", time * 1e9' 2>/dev/null) || now=$(date +%s)000000000 ;; esac
name=$now-$$
if [ $# -gt 0 ]; then printf '%s' "$1"; else cat; fi |
  { head -c 2000000 > "$dir/.$name.tmp" && cat > /dev/null; } &&
  mv -- "$dir/.$name.tmp" "$dir/$name.json"
exit 0
`;

/** What a program's settings give to a shell: nothing in it comes from anywhere else. */
export const tellCommand = 'sh "$GUILD_HALL_HOOK"';

/** Below the terminal's private folder. */
export const tellPath = 'tell.sh';
