const LONGEST_SENTENCE = 400
const END = /[.!?](?=\s+["'(«„]?[\p{Lu}\d])|[。！？](?=.)/gu
/** Not the end of a sentence, although a dot stands there. */
const SHORT_WORD = /(?:\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|No|Inc|Ltd|approx|e\.g|i\.e)|\b[A-Z])$/

/** The sentences of a text, none longer than 400 characters. A line break after a blank line, a list mark or a heading ends one too. */
export function sentencesOf(text: string): string[] {
  return text.split(/\n(?=\s*\n|\s*[-*#>|]|\s*\d{1,3}[.)]\s)/).flatMap((block) => inBlock(block))
}

function inBlock(block: string): string[] {
  const sentences: string[] = []
  let from = 0
  const push = (end: number): void => {
    const sentence = block.slice(from, end).replace(/\s+/g, ' ').trim()
    for (let at = 0; at < sentence.length; at += LONGEST_SENTENCE) sentences.push(sentence.slice(at, at + LONGEST_SENTENCE))
    from = end
  }
  for (const { index } of block.matchAll(END)) {
    if (!SHORT_WORD.test(block.slice(Math.max(0, index - 8), index))) push(index + 1)
  }
  push(block.length)
  return sentences
}
