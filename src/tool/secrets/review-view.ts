import type { JsonSchema } from '../../schema/json-schema.ts'
import type { KnownSecrets } from './known-secrets.ts'
import { maskWords } from './mask-text.ts'
import { SecretFields } from './secret-fields.ts'
import { isCredentialName } from './sensitive-name.ts'
import { ValueView } from './value-view.ts'
import { NotShowable } from './walk.ts'

/**
 * A view of an input for the person who decides about it. A mask replaces a field that the schema declares as a secret, or that the schema
 * lists under the name of a credential, and the words in which a secret of the provider stands. Nothing else is hidden: no field can hide
 * another, and a field that the schema does not list is shown whatever its name. Throws `NotShowable` if a part of the value cannot be shown.
 */
export function reviewView(value: unknown, schema: JsonSchema, revealed: KnownSecrets): unknown {
  return new ValueView(new SecretFields(schema, true), {
    text: (text) => maskWords(text, revealed),
    hides: ({ isDeclared }, name, isListed) => isDeclared ?? (isListed && name !== undefined && isCredentialName(name)),
    onStop: (why) => {
      throw new NotShowable(why)
    },
  }).of(value)
}
