/** Words that people type for something that has another name here, and what to type instead. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  answer: "approve <request> --answer '<json>'",
  decline: 'reject <request>',
  deny: 'reject <request>',
  edit: "approve <request> --patch '<json>', or approvals on a terminal",
  export: 'show <run> --export <file>',
  inbox: 'approvals',
  inspect: 'describe <tool>, or show <run>',
  invoke: 'call <tool> <input>',
  jobs: 'runs',
  logs: 'show <run>',
  'open-runs': 'check --open-runs',
  pending: 'approvals',
  plan: 'explain <tool>',
  ps: 'runs',
  rehearse: 'check --open-runs',
  requests: 'approvals',
  retry: 'resume <run>, or retry-compensation <run>',
  reviews: 'approvals',
  start: 'run <tool>',
  status: 'show <run>',
  stop: 'reject <request> --stop, or cancel <run>',
  tools: 'list',
}

/** Options that people type where they do not exist, and what does the same. */
const OTHER_OPTIONS: Readonly<Record<string, string>> = {
  '--stdio': 'Leave it out: toolwright serve uses standard input and output unless --http is given.',
  '--yes': 'It is an option of toolwright call. A durable run waits until somebody decides: toolwright approve <request>',
}

const UNKNOWN = /unknown (command|option) '([^']*)'(?:\n\(Did you mean [^)]*\))?/

/** The message about an unknown command or option, with what to type instead where that is known. A guess by the spelling gives way to it. */
export function withOtherWord(message: string): string {
  const [whole, kind = '', word = ''] = UNKNOWN.exec(message) ?? []
  const advice = kind === 'command' ? OTHER_COMMANDS : OTHER_OPTIONS
  if (whole === undefined || !Object.hasOwn(advice, word)) return message
  return message.replace(whole, () => `unknown ${kind} '${word}'\n${kind === 'command' ? 'Type: toolwright ' : ''}${advice[word]}`)
}
