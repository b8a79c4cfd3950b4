/** Words that people type for something that has another name here, and what to type instead. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  answer: "approve <request> --answer '<json>'",
  decline: 'reject <request>',
  deny: 'reject <request>',
  edit: "approve <request> --patch '<json>', or approvals on a terminal",
  inbox: 'approvals',
  logs: 'show <run>',
  ps: 'runs',
  requests: 'approvals',
  retry: 'resume <run>, or retry-compensation <run>',
  reviews: 'approvals',
  start: 'run <tool>',
  status: 'show <run>',
  stop: 'reject <request> --stop, or cancel <run>',
  tools: 'list',
}

/** The message about an unknown command, with what to type instead where that is known. A guess by the spelling gives way to it. */
export function withOtherWord(message: string): string {
  const [whole, word = ''] = /unknown command '([^']*)'(?:\n\(Did you mean [^)]*\))?/.exec(message) ?? []
  if (whole === undefined || !Object.hasOwn(OTHER_WORDS, word)) return message
  return message.replace(whole, () => `unknown command '${word}'\nType: toolwright ${OTHER_WORDS[word]}`)
}
