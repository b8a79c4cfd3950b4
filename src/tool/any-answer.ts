import { unionSchema } from '../schema/combine-schemas.ts'
import type { Contract } from './contract.ts'

/** The contract of one of several answers, each of which was checked already; undefined if one of them is not known. */
export function anyAnswer(contracts: readonly (Contract | undefined)[]): Contract | undefined {
  if (!contracts.every((each) => each !== undefined)) return undefined
  const schema = () => unionSchema(contracts.map(({ output }) => output))
  return {
    validate: (value) => ({ value }),
    strips: true,
    get input() {
      return schema()
    },
    get exactInput() {
      return schema()
    },
    get output() {
      return schema()
    },
  }
}
