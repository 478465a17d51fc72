# Completion of guild-hall for fish (3.0 and newer). Made by: guild-hall completion fish
# The program itself says what may follow; ids, names and paths come from the running hall.

function __guild_hall_complete
    set -l typed (commandline -opc)
    set -l program (string replace -r '^~' $HOME -- $typed[1])
    # Of a word in quotes the program gets what is inside.
    set -l current (commandline -ct | string trim --left --chars '"\'')
    set -l lines ($program __complete $typed[2..-1] "$current" 2>/dev/null)
    if test "$lines[-1]" = :files
        set -e lines[-1]
        __fish_complete_path "$current"
    end
    if set -q lines[1]
        printf '%s\n' $lines
    end
end

complete -c guild-hall -f -k -a '(__guild_hall_complete)'
