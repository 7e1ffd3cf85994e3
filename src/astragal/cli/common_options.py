"""Options that several commands have in common."""

from __future__ import annotations

from typing import Annotated

import typer

SheetsArgument = Annotated[
    list[str] | None,
    typer.Argument(help="Two sheets, one for each side: files, or pre-made sheets by name."),
]
HouseRuleOption = Annotated[list[str] | None, typer.Option(help="A house rule: NAME=CHOICE.")]
AnswerOption = Annotated[
    list[str] | None, typer.Option("--answer", help="An answer: KEY=VALUE or SEAT/KEY=VALUE.")
]
FacesOption = Annotated[
    list[str] | None,
    typer.Option(help="The faces of real dice, such as 1,4,6; once for each roll."),
]
SeedOption = Annotated[str | None, typer.Option(help="Roll the dice from this seed.")]
AskOption = Annotated[
    bool | None, typer.Option("--ask/--no-ask", help="Ask open questions, or use the defaults.")
]
EveryQuestionOption = Annotated[
    bool, typer.Option("--every-question", help="Ask the GM's questions as well.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write the result as JSON.")]
SparOption = Annotated[
    int | None,
    typer.Option(
        help="Let the program play all sides but the first, from 0 (careless) to 100 (merciless)."
    ),
]
SamplesOption = Annotated[
    int, typer.Option(help="How many plays the program searches each of its scripts with.")
]
ThinkOption = Annotated[
    float, typer.Option(help="With --spar, the most seconds that the program takes for a script.")
]
ProcessesOption = Annotated[int, typer.Option(help="Processes; 0 is one for each core.")]
DaskOption = Annotated[str, typer.Option(help="Work on the Dask cluster at this address instead.")]
