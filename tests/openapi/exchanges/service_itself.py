"""What the service tells of itself."""

from tests.openapi.exchanges.cast import Cast


def play(cast: Cast) -> None:
    """Its description, its problems, its health."""
    stage = cast.stage
    documents = ("get_openapi_document", "get_asyncapi_document", "get_reference_page")
    for operation in (*documents, "list_problems", "get_liveness"):
        stage.succeed(operation, None)
        stage.refuse_parameter(operation)
    stage.succeed("get_problem", None, kind="stale_version")
    stage.refuse("get_problem", None, "no_such_thing", kind="bad_luck")
    stage.succeed("get_readiness", None)
    stage.refuse("get_readiness", None, "malformed", query={"only": "worker"})
