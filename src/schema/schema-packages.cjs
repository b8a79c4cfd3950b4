'use strict'

/**
 * Packages that are read when the first schema needs them, so that an import of the root stays light. This is a CommonJS module, since
 * bundlers and tracers of deployments follow its literal calls of `require`; a `require` that is made by `createRequire` is hidden from them.
 */
module.exports = {
  'draft-07': () => require('ajv'),
  '2019-09': () => require('ajv/dist/2019.js'),
  '2020-12': () => require('ajv/dist/2020.js'),
  valibot: () => {
    // Optional: inside a try, a bundler that does not find it goes on.
    try {
      return require('@valibot/to-json-schema')
    } catch (cause) {
      throw new Error('@valibot/to-json-schema cannot be loaded.', { cause })
    }
  },
}
