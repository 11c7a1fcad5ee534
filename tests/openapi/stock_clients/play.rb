# Net::HTTP of Ruby's own library: register, open, play, stream.
require "json"
require "net/http"

root = URI(ARGV[0])
Net::HTTP.start(root.host, root.port) do |http|
  headers = { "Content-Type" => "application/json" }
  post = lambda do |path, body, more = {}|
    answer = http.post(path, body.to_json, headers.merge(more))
    answer.is_a?(Net::HTTPSuccess) ? JSON.parse(answer.body) : abort("#{answer.code} #{answer.body}")
  end
  headers["Authorization"] = "Bearer #{post.("/v1/players", { name: "Ruby" })["token"]["secret"]}"
  game = post.("/v1/games", { game_type: "klondike" })["id"]
  3.times { |number| post.("/v1/games/#{game}/commands", { type: "klondike/draw" }, "Idempotency-Key" => "draw #{number}") }

  text = +""
  http.request(Net::HTTP::Get.new("/v1/games/#{game}/events?max_frames=4")) do |answer|
    answer.read_body { |piece| text << piece }
  end
  puts "#{game} #{text.scan(/^event: frame\r?$/).size}"
end
