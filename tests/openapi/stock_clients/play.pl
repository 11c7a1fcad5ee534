# HTTP::Tiny of Perl's own library: register, open, play, stream.
use strict;
use warnings;
use HTTP::Tiny;
use JSON::PP;

my $root = $ARGV[0];
my $http = HTTP::Tiny->new(keep_alive => 1);
my %headers = ('Content-Type' => 'application/json');

sub post {
    my ($path, $body, %more) = @_;
    my $answer = $http->post("$root$path", { headers => { %headers, %more }, content => encode_json($body) });
    die "$answer->{status} $answer->{content}" unless $answer->{success};
    return decode_json($answer->{content});
}

$headers{Authorization} = 'Bearer ' . post('/v1/players', { name => 'Perl' })->{token}{secret};
my $game = post('/v1/games', { game_type => 'klondike' })->{id};
post("/v1/games/$game/commands", { type => 'klondike/draw' }, 'Idempotency-Key' => "draw $_") for 1 .. 3;

my $text = '';
my $answer = $http->get("$root/v1/games/$game/events?max_frames=4", { data_callback => sub { $text .= $_[0] } });
die $answer->{status} unless $answer->{success};
my $events = () = $text =~ /^event: frame\r?$/mg;
print "$game $events\n";
