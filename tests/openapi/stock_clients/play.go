// net/http of Go's own library: register, open, play, stream.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

var root, token = os.Args[1], ""

type answered struct {
	ID    string
	Token struct{ Secret string }
}

func post(path string, body any, key string) (answer answered) {
	text, _ := json.Marshal(body)
	request, err := http.NewRequest("POST", root+path, bytes.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		log.Fatal(response.Status, string(read), err)
	}
	if err := json.Unmarshal(read, &answer); err != nil {
		log.Fatal(err)
	}
	return answer
}

func main() {
	token = post("/v1/players", map[string]string{"name": "Go"}, "").Token.Secret
	game := post("/v1/games", map[string]string{"game_type": "klondike"}, "").ID
	for number := 1; number <= 3; number++ {
		post("/v1/games/"+game+"/commands", map[string]string{"type": "klondike/draw"}, fmt.Sprint("draw ", number))
	}

	stream, err := http.Get(root + "/v1/games/" + game + "/events?max_frames=4")
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Body.Close()
	lines, frames := bufio.NewScanner(stream.Body), 0
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "event: frame" {
			frames++
		}
	}
	fmt.Println(game, frames)
}
