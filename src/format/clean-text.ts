const esc = String.fromCharCode(0x1b)
const bell = String.fromCharCode(0x07)
/** Control sequences with their parameters (CSI) and strings with their contents (OSC, DCS, …), 7 and 8 bit. */
const sequences = new RegExp(
  `(?:${esc}\\[|\\u009b)[0-?]*[ -/]*[@-~]` +
    `|(?:${esc}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${bell}${esc}\\u009c]*(?:${bell}|${esc}\\\\|\\u009c)?` +
    `|${esc}[ -/]*[0-~]`,
  'gu',
)
const blanks = /[\p{White_Space}\p{Control}]+/gu
/** Bidirectional controls, zero-width characters, variation selectors, private use, broken surrogates. */
const invisible = /[\p{Format}\p{Default_Ignorable_Code_Point}\p{Private_Use}\p{Surrogate}]/gu
const stackedMarks = /(\p{Mark}{2})\p{Mark}+/gu

/** Text that others wrote, safe for one line of a terminal: nothing that moves, colours, hides or reverses is left. */
export function cleanText(text: string): string {
  return text
    .replace(sequences, '')
    .replace(blanks, ' ')
    .replace(invisible, '')
    .replace(stackedMarks, '$1')
    .trim()
}
