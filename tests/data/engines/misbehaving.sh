# An engine that goes wrong in the way its first argument names. It knows just enough UCI to be asked for a turn.
# The second argument is the real engine, for those that play a while; the third marks what it leaves running.
kind=$1

greet() {
    printf 'id name %s\noption name UCI_Variant type combo default dicechess var dicechess\nuciok\n' "$kind"
}

case $kind in
mute)
    while read -r line; do :; done
    exit 0
    ;;
dies-at-start) exit 3 ;;
deaf)
    greet
    echo readyok
    echo readyok
    exec sleep "$3"
    ;;
leaves)
    count=0
    while [ $count -lt 10 ] && read -r line; do
        printf '%s\n' "$line"
        count=$((count + 1))
    done | "$2"
    exit 0
    ;;
esac

while read -r word rest; do
    case $word in
    uci)
        if [ "$kind" = stranger ]; then
            printf 'option name UCI_Variant type combo default chess var chess\nuciok\n'
        else
            greet
        fi
        ;;
    isready)
        echo readyok
        if [ "$kind" = hasty ]; then
            printf 'bestmove a1a8\nbestmove a1a8\n'
        fi
        ;;
    quit) [ "$kind" = stays ] || exit 0 ;;
    go)
        case $kind in
        silent | stays) ;;
        hasty) echo bestmove a1a8 ;;
        dies) exit 1 ;;
        killed) kill -KILL $$ ;;
        illegal) echo bestmove a1a8 ;;
        gibberish) echo bestmove hello world ;;
        empty) echo bestmove ;;
        none) echo 'bestmove (none)' ;;
        passes) echo bestmove 0000 ;;
        throws) echo bestmove 124 ;;
        flood)
            head -c 100000000 /dev/zero | tr '\0' x
            exec sleep "$3"
            ;;
        chatter) exec yes info string all work and no play ;;
        slow)
            sleep 2
            echo bestmove 0000
            ;;
        closes)
            exec >&-
            exec sleep "$3"
            ;;
        stops) kill -STOP $$ ;;
        spawns)
            sleep "$3" &
            exit 0
            ;;
        noise)
            head -c 5000 /dev/urandom
            echo
            echo bestmove "$(head -c 20 /dev/urandom | tr -d '\n\0')"
            ;;
        esac
        ;;
    esac
done
