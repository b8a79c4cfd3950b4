import { createHash, timingSafeEqual } from 'node:crypto'
import type { McpAuth } from '../tool/ports/mcp-auth.ts'
import type { Principal } from '../tool/principal.ts'
import { CliError } from './cli-error.ts'

const LEAST_LENGTH = 16

/** Takes one token, which an environment variable has. All who know it are the same caller. */
export function tokenAuth(variable: string, principal: Principal | undefined): McpAuth {
  const token = process.env[variable]
  if (token === undefined || token.length < LEAST_LENGTH)
    throw new CliError('usage', `The environment variable ${variable} has no token of at least ${LEAST_LENGTH} characters.`, {
      hint: `Set it, for example to what this prints: node -p "crypto.randomBytes(24).toString('base64url')"`,
    })
  const caller = { principal: principal ?? { id: 'token', permissions: [] } }
  return {
    authenticate: ({ headers }) => {
      const header = headers.get('authorization')
      if (header === null) return { refused: 'missing' }
      return isEqual(header.replace(/^bearer +/i, ''), token) ? caller : { refused: 'invalid' }
    },
  }
}

/** In the same time for every text. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [one, other].map((each) => createHash('sha256').update(each).digest()) as [Buffer, Buffer]
  return timingSafeEqual(first, second)
}
