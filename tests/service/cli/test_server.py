"""The end of listening, step by step: nobody who is connected is cut off, and nobody is connected any more."""

import socket
import threading

from service.cli.server import bound_socket, stop_admitting

SO_LOCK_FILTER = 44


def test_from_the_end_of_admission_on_nobody_connects_and_the_closing_refuses_them() -> None:
    with bound_socket("127.0.0.1", 0) as listener:
        listener.listen()
        place, became = listener.getsockname(), list[type[BaseException] | None]()

        def call() -> None:
            try:
                socket.create_connection(place).close()
            except OSError as error:
                became.append(type(error))
            else:
                became.append(None)

        with socket.create_connection(place) as early:
            stop_admitting(listener)
            callers = [threading.Thread(target=call) for _ in range(4)]
            for caller in callers:
                caller.start()
            accepted, _ = listener.accept()
            with accepted:
                listener.settimeout(0.3)
                assert queued(listener) == 0
                listener.close()
                for caller in callers:
                    caller.join()
                early.sendall(b"here")
                assert accepted.recv(4) == b"here"
        assert became == [ConnectionRefusedError] * 4


def test_a_system_that_allows_no_filter_does_not_keep_the_service_from_its_end() -> None:
    with bound_socket("127.0.0.1", 0) as listener:
        stop_admitting(listener)
        listener.setsockopt(socket.SOL_SOCKET, SO_LOCK_FILTER, 1)  # from now on every further filter is refused
        stop_admitting(listener)


def queued(listener: socket.socket) -> int:
    """How many more can be accepted, within the listener's patience."""
    found = 0
    try:
        while True:
            listener.accept()[0].close()
            found += 1
    except TimeoutError:
        return found
