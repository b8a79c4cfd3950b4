'use strict'

/** Read when a schema of zod 3 is met. A literal `require` in a CommonJS module is followed by bundlers and tracers of deployments. */
module.exports = () => {
  // Inside a try, a bundler that does not find it goes on.
  try {
    return require('ai')
  } catch (cause) {
    throw new Error('ai cannot be loaded.', { cause })
  }
}
