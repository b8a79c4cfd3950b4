import type { AgentTool } from '../tool/agent-tool.ts'
import { printable } from '../tool/printable.ts'

const MAX_CHARACTERS = 140

/** A tool in one line: its name and the first sentence of its description. Line breaks of a description cannot make a line of their own. */
export function toolCard({ name, description }: AgentTool): string {
  const flat = printable(description.replaceAll(/\s+/g, ' ').trim())
  const sentence = /^.{10,}?[.!?](?= |$)/.exec(flat)?.[0] ?? flat
  return `${name}: ${sentence.length > MAX_CHARACTERS ? `${sentence.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : sentence}`
}
