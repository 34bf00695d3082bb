/**
 * The form of a verdict in llama.cpp's GBNF, so that a model too small to keep to a form gives replies that can be read.
 * What they say stays its own: a step that does not exist yet, an agent that never spoke.
 */
export const VERDICT_GRAMMAR = String.raw`
root    ::= "<think>" thought "</think><answer>{\"answer\": " verdict "}</answer>"
thought ::= [^<>\n]{1,200}
verdict ::= "\"SAFE\", \"agent\": null, \"reason\": null" | step ", \"agent\": " text ", \"reason\": " text
step    ::= "0" | [1-9] [0-9]?
text    ::= "\"" [^"\\\n]{1,60} "\""
`;
