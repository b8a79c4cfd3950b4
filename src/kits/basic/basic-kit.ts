import type { AgentTool } from '../../tool/agent-tool.ts'
import { calculator } from './calculator/calculator.ts'
import { datetime, type DatetimeOptions } from './datetime/datetime.ts'
import { fileTools } from './files/file-tools.ts'
import type { FileWriteOptions } from './files/file-write.ts'
import { humanInput } from './human-input.ts'
import { jsonParser } from './json-parser/json-parser.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of the tools of the kit. */
export interface BasicKitOptions extends DatetimeOptions, Pick<FileWriteOptions, 'root' | 'requireApproval'> {}

const NAMES = optionNames<BasicKitOptions>({ root: true, requireApproval: true, clock: true, zone: true })

/**
 * Makes all basic tools at once: `calculator`, `json_parser`, `file_read`, `file_write`, `datetime` and `human_input`. The files are those under `root`.
 * @example
 * const runtime = createRuntime({ tools: basicKit({ root: '.' }), review: consoleReview() })
 */
export function basicKit(given: BasicKitOptions): readonly AgentTool[] {
  checkOptionNames(given, NAMES, 'The options of basicKit')
  const { root, requireApproval, ...options } = given
  return [calculator(), jsonParser(), ...fileTools({ root, requireApproval }), datetime(options), humanInput()]
}
