/** A message may be repeated in part: the beginning of a line is enough to know it by. */
const HEAD = 40
/** Shorter lines are in every text. */
const SHORTEST = 4
const MOST_LINES = 100

/** Whether a text repeats a line of a message, or the beginning of one. */
export function repeats(text: string, message: string): boolean {
  return linesOf(message).some((line) => text.includes(headOf(line)))
}

/** A text with something else in place of what it repeats of a message. */
export function withoutRepeated(text: string, message: string, instead: string): string {
  return linesOf(message).reduce((told, line) => withoutLine(told, line, instead), text)
}

function withoutLine(text: string, line: string, instead: string): string {
  const head = headOf(line)
  let told = ''
  let from = 0
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, from)) {
    let length = head.length
    while (length < line.length && text[at + length] === line[length]) length++
    told += text.slice(from, at) + instead
    from = at + length
  }
  return told + text.slice(from)
}

function linesOf(message: string): readonly string[] {
  const lines = message.split(/[\r\n]+/, MOST_LINES).map((line) => line.trim().toWellFormed())
  return lines.filter(({ length }) => length >= SHORTEST)
}

function headOf(line: string): string {
  return line.slice(0, HEAD).toWellFormed()
}
