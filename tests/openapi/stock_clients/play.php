<?php // PHP's curl extension, one handle for all requests: register, open, play, stream.
[, $root] = $argv;
$curl = curl_init();
$headers = ["Content-Type: application/json"];

function post(string $path, array $body, string ...$more): array
{
    global $root, $curl, $headers;
    curl_setopt_array($curl, [
        CURLOPT_URL => $root . $path,
        CURLOPT_POSTFIELDS => json_encode($body),
        CURLOPT_HTTPHEADER => [...$headers, ...$more],
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 300 || $status === 0) {
        exit("$status $text");
    }
    return json_decode($text, true);
}

$headers[] = "Authorization: Bearer " . post("/v1/players", ["name" => "PHP"])["token"]["secret"];
$game = post("/v1/games", ["game_type" => "klondike"])["id"];
foreach ([1, 2, 3] as $number) {
    post("/v1/games/$game/commands", ["type" => "klondike/draw"], "Idempotency-Key: draw $number");
}

$text = "";
curl_reset($curl);
curl_setopt($curl, CURLOPT_URL, "$root/v1/games/$game/events?max_frames=4");
curl_setopt($curl, CURLOPT_WRITEFUNCTION, function ($curl, $piece) use (&$text) {
    $text .= $piece;
    return strlen($piece);
});
curl_exec($curl);
echo $game, " ", preg_match_all('/^event: frame\r?$/m', $text), "\n";
