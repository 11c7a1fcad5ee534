"""A service with leagues, ladders and contests in every state, made over HTTP."""

from random import Random

from .boxes import League, at, done, fixture, running, won
from .holding import announced, entered, move, resign, settled
from .playing import Game, opened, play_on
from .serving import Player, Service, registered

TRICKY = '<b>"Eve" & Co</b>'
WHEN = {"opens": "2026-01-01T00:00:00Z", "closes": "2099-01-01T00:00:00Z"}


class Furnished:
    """Olga organises Ada, Bob, Cyd and Eve, whose name is markup. `contest` is open, `club` a same-deal league.

    Of the box league season 1 is closed, has an amendment and its promotions are decided; season 2 runs.
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self.olga, self.ada, self.bob, self.cyd = (registered(service, name) for name in ("Olga", "Ada", "Bob", "Cyd"))
        self.eve = registered(service, TRICKY)
        self.box = running(self.olga, self.ada, self.bob, self.cyd, self.eve, division_size=4)
        self.game = won(service, self.box, self.ada, self.bob)
        self._first_season()
        self.club, self.club_contest = self._club()
        self.closed, self.contest = "", announced(service.conninfo, "golf")
        self.attempts = {
            player.id: self._attempt(player, over) for player, over in ((self.ada, 1), (self.bob, 0), (self.eve, 1))
        }
        for _ in range(2):
            self._rubber()
        settled(service)

    def moved_to(self, service: Service) -> None:
        """The same people at another address of the same database."""
        self.service = service
        for name in ("olga", "ada", "bob", "cyd", "eve"):
            setattr(self, name, getattr(self, name).on(service))

    def _first_season(self) -> None:
        voided = won(self.service, self.box, self.ada, self.cyd)
        won(self.service, self.box, self.bob, self.cyd)
        path = at(self.box, f"/fixtures/{fixture(self.ada, self.box, self.ada, self.eve)}")
        done(self.olga.post(path + "/award", {"to_player_id": self.ada.id, "reason": "Eve did not come."}))
        path = at(self.box, f"/fixtures/{fixture(self.ada, self.box, self.bob, self.eve)}")
        done(self.olga.post(path + "/cancel", {"reason": "No date was found."}))
        done(self.olga.post(at(self.box, "/seasons/1/close")))
        ruling = {"type": "void_games", "game_ids": [voided["id"]], "reason": "Both seats were one person."}
        done(self.olga.post(at(self.box, "/rulings"), ruling), 201)
        done(self.olga.post(at(self.box, "/seasons/1/promotions"), {}))
        second = {"starts": "2020-02-01T00:00:00Z", "ends": "2099-03-01T00:00:00Z"}
        done(self.olga.post(at(self.box, "/seasons"), second))
        done(self.olga.post(at(self.box, "/invitations"), {"player_id": registered(self.service, "Guest").id}))

    def _club(self) -> tuple[League, str]:
        club = running(self.olga, self.ada, self.bob, name="Patience club", game_type="golf", rules="same-deal-1")
        return club, str(done(self.olga.post(at(club, "/contests"), WHEN), 201)["id"])

    def _attempt(self, player: Player, over: int) -> Game:
        game = entered(player, self.contest)
        for _ in range(2):
            move(player, game)
        if over:
            resign(player, game)
        return game

    def _rubber(self) -> None:
        list(play_on([self.ada], opened(self.ada, "bridge_solitaire"), Random(3), most=10))
