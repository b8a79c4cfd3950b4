import { optionsOfCommand } from '../describe-program.ts'
import { type CommandName, COMMANDS, PROGRAM_OPTIONS } from '../help-text.ts'
import { TEMPLATE_NAMES } from '../init/template-names.ts'

/** A word that may stand at the cursor. */
export interface Candidate {
  readonly word: string
  readonly about?: string | undefined
}

/** Names that only the project or its database knows. */
type Wanted =
  | { readonly of: 'tool' | 'run' | 'request' }
  /** The fields of the input of a tool. */
  | { readonly of: 'field'; readonly tool: string }

/** What may stand at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly wanted?: Wanted | undefined
  /** The shell completes names of files. */
  readonly isFile?: boolean | undefined
  /** What stands before each candidate in the word: `--template=`. */
  readonly before: string
  /** The beginning that candidates must have. */
  readonly typed: string
  /** The values of the options before the cursor, by long name. */
  readonly options: Readonly<Record<string, readonly string[]>>
}

interface Flag {
  readonly names: readonly string[]
  /** What stands for its value: `file` of `--config <file>`. Undefined if it takes none. */
  readonly value: string | undefined
  readonly about: string
}

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  '--template': TEMPLATE_NAMES,
  '--dialect': ['openai-strict', 'anthropic-strict', 'gemini', 'mcp'],
  '--status': ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'stopped', 'blocked'],
  kind: ['tool', 'pipeline'],
  shell: ['bash', 'zsh', 'fish'],
}

const FILES: ReadonlySet<string> = new Set(['file', 'folder', 'module'])
const NAMED: ReadonlySet<string> = new Set(['tool', 'run', 'request'])

/** Says what may stand at the cursor. The last word is the one at the cursor, and may be empty. */
export function completeWords(words: readonly string[]): Completion {
  const read = readWords(words.slice(0, -1))
  const { options } = read
  const typed = words.at(-1) ?? ''
  const flags = read.command === undefined ? programFlags() : [...commandFlags(read.command), ...programFlags()]
  if (read.awaits !== undefined) return { ...valueOf(read.awaits, read), before: '', typed, options }
  const [, flagName = '', value = ''] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? []
  const assigned = read.isOver ? undefined : flags.find(({ names }) => names.includes(flagName))
  if (assigned !== undefined) return { ...valueOf(assigned, read), before: `${flagName}=`, typed: value, options }
  if (typed.startsWith('-') && !read.isOver)
    return {
      candidates: flags.flatMap(({ names, about }) => (names.at(-1) === undefined ? [] : [{ word: names.at(-1) ?? '', about }])),
      before: '',
      typed,
      options,
    }
  return { ...positionOf(read), before: '', typed, options }
}

interface ReadWords {
  readonly command: CommandName | 'help' | undefined
  /** The words after the command that are no options. */
  readonly positions: readonly string[]
  readonly options: Readonly<Record<string, readonly string[]>>
  /** The option whose value stands at the cursor. */
  readonly awaits: Flag | undefined
  /** After `--`, there are no options. */
  readonly isOver: boolean
}

function readWords(words: readonly string[]): ReadWords {
  let command: ReadWords['command']
  let awaits: Flag | undefined
  let isOver = false
  const positions: string[] = []
  const options: Record<string, readonly string[]> = {}
  const take = (flag: Flag, value: string): void => {
    const name = flag.names.at(-1) ?? ''
    options[name] = [...(options[name] ?? []), value]
  }
  for (const word of words) {
    if (awaits !== undefined) {
      take(awaits, word)
      awaits = undefined
    } else if (word === '--') isOver = true
    else if (word.startsWith('-') && !isOver) {
      const [name = '', ...value] = word.split('=')
      const flag = [...(command === undefined ? [] : commandFlags(command)), ...programFlags()].find(({ names }) => names.includes(name))
      if (flag?.value !== undefined && value.length > 0) take(flag, value.join('='))
      else awaits = flag?.value === undefined ? undefined : flag
    } else if (command === undefined) command = commandNamed(word)
    else positions.push(word)
  }
  return { command, positions, options, awaits, isOver }
}

function commandNamed(word: string): ReadWords['command'] {
  return word === 'help' || Object.hasOwn(COMMANDS, word) ? (word as CommandName | 'help') : undefined
}

type Found = Pick<Completion, 'candidates' | 'wanted' | 'isFile'>

/** What may stand at a place among the words of a command. */
function positionOf({ command, positions }: ReadWords): Found {
  if (command === undefined || (command === 'help' && positions.length === 0)) return { candidates: commandNames(command === undefined) }
  if (command === 'help') return { candidates: [] }
  const places = COMMANDS[command][0].split(' ').filter(Boolean)
  const place = places[positions.length] ?? (places.at(-1)?.endsWith('...]') === true ? places.at(-1) : undefined)
  if (place === '[input...]') return { candidates: [], wanted: { of: 'field', tool: positions[0] ?? '' } }
  return place === undefined ? { candidates: [] } : placeholderOf(place.replaceAll(/[<>[\].]/g, ''))
}

function commandNames(withHelp: boolean): readonly Candidate[] {
  const all = Object.entries(COMMANDS).map(([word, [, about]]) => ({ word, about }))
  return withHelp ? [...all, { word: 'help', about: 'print help for a command' }] : all
}

/** What may stand as the value of an option. */
function valueOf({ names, value = '' }: Flag, { command }: ReadWords): Found {
  const choices = CHOICES[names.at(-1) ?? '']
  if (choices !== undefined) return { candidates: choices.map((word) => ({ word })) }
  // The name of a tool, except where a person or a template is named.
  return placeholderOf(names.includes('--tool') && command !== undefined ? 'tool' : value)
}

function placeholderOf(name: string): Found {
  const choices = CHOICES[name]
  if (choices !== undefined) return { candidates: choices.map((word) => ({ word })) }
  if (FILES.has(name)) return { candidates: [], isFile: true }
  return { candidates: [], ...(NAMED.has(name) ? { wanted: { of: name as 'tool' | 'run' | 'request' } } : {}) }
}

function programFlags(): readonly Flag[] {
  return Object.values(PROGRAM_OPTIONS).map(flagOf)
}

function commandFlags(command: CommandName | 'help'): readonly Flag[] {
  return command === 'help' ? [] : optionsOfCommand(command).map(flagOf)
}

/** Reads `-c, --config <file>`. An optional value stands behind `=` only. */
function flagOf([flags, about]: readonly [flags: string, about: string]): Flag {
  return { names: flags.match(/--?[\w-]+/g) ?? [], value: /<([^>]+)>/.exec(flags)?.[1], about }
}
