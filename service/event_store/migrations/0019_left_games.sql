-- safe for: 0010
-- A rated game that was begun and is left is lost after a time without a move (domain/play/clock.py). Games that were
-- going on before get a row, too, a day from now: the clock looks at each and sets its row anew, or takes it away.
INSERT INTO deadlines (game, due)
SELECT opened.stream, (extract(epoch FROM now()) * 1000000)::bigint + 86400000000
FROM events AS opened
WHERE opened.version = 1 AND opened.topic = 'game/opened' AND NOT EXISTS (
    SELECT FROM events AS over
    WHERE over.stream = opened.stream AND over.topic IN ('game/finished', 'game/voided')
)
ON CONFLICT (game) DO NOTHING;
