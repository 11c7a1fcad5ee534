// HttpClient of the JDK, which offers h2c with its requests: register, open, play, stream.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

class Play {
    static final HttpClient client = HttpClient.newHttpClient();
    static String root, token;

    static String post(String path, String body, String key) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(root + path)).header("Content-Type", "application/json");
        if (token != null) request.header("Authorization", "Bearer " + token);
        if (key != null) request.header("Idempotency-Key", key);
        var answer = client.send(request.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new Exception(answer.statusCode() + " " + answer.body());
        return answer.body();
    }

    /** The first text of a member with this name: the JDK reads no JSON. */
    static String member(String name, String json) {
        var match = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        if (!match.find()) throw new IllegalArgumentException(json);
        return match.group(1);
    }

    public static void main(String[] arguments) throws Exception {
        root = arguments[0];
        token = member("secret", post("/v1/players", "{\"name\":\"Java\"}", null));
        var game = member("id", post("/v1/games", "{\"game_type\":\"klondike\"}", null));
        for (int number = 1; number <= 3; number++) {
            post("/v1/games/" + game + "/commands", "{\"type\":\"klondike/draw\"}", "draw " + number);
        }
        var request = HttpRequest.newBuilder(URI.create(root + "/v1/games/" + game + "/events?max_frames=4"));
        var lines = client.send(request.build(), BodyHandlers.ofLines()).body();
        System.out.println(game + " " + lines.filter("event: frame"::equals).count());
    }
}
