import type { AnySchema } from '../../schema/schema-types.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { checkName } from '../../tool/identity.ts'
import type { InputOf, ParsedOf } from '../../tool/tool.ts'
import { builderOf, type SagaStart } from './saga-builder.ts'
import type { SagaDefinition } from './saga-types.ts'

/**
 * Steps that take effect together or not at all: when one fails, those before it are undone by their compensations, the latest first.
 * @example
 * const hold = tool({ name: 'hold', description: 'Holds an item.', effect: 'write', execute: (item) => ({ id: `hold of ${item}` }) })
 * const release = tool({ name: 'release', description: 'Lets a hold go.', effect: 'write', execute: (id) => `released ${id}` })
 * const pay = tool({ name: 'pay', description: 'Pays.', execute: () => failure('The card was declined.') })
 * const buy = saga({ name: 'buy', description: 'Buys an item.' })
 *   .step('hold', hold, { compensate: { with: release, class: 'reversible', input: ({ value, input }) => value?.id ?? input } })
 *   .step('pay', pay, { compensate: 'irreversible' })
 *   .build()
 * const result = await buy.call('a lamp')
 * console.log(result.text) // Error: Step 'pay' failed: The card was declined. Undone: hold.
 */
export function saga<const S extends AnySchema | undefined = undefined>(definition: SagaDefinition<S>): SagaStart<InputOf<S>, ParsedOf<S>> {
  checkOptions(definition, 'The definition of a saga')
  checkName(definition.name)
  return builderOf(definition, []) as unknown as SagaStart<InputOf<S>, ParsedOf<S>>
}
