import type { AgentTool } from '../../../tool/agent-tool.ts'
import { fileRead } from './file-read.ts'
import { fileWrite, type FileWriteOptions } from './file-write.ts'

/** The file tools of a kit, all confined to one folder. */
export function fileTools(options: Pick<FileWriteOptions, 'root' | 'requireApproval'>): readonly AgentTool[] {
  return [fileRead({ root: options.root }), fileWrite(options)]
}
