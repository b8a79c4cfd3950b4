import { brave, guardedFetch, httpTool, localSearch, searxng, tavily, webKit, webScrape, webSearch } from 'toolwright/kits/web'

const service = { name: 'ask', description: 'Asks.', url: 'https://example.com/{input}' }

/** Of `toolwright/kits/web`, by the places of `optionPlaces`. */
export const WEB_MISSPELLERS: Readonly<Record<string, (odd: object) => unknown>> = {
  'guardedFetch(options)': (odd) => guardedFetch(odd),
  'guardedFetch()(request)': (odd) => guardedFetch()('http://127.0.0.1/', odd),
  'httpTool(options)': (odd) => httpTool({ ...service, ...odd }),
  'HttpToolOptions.estimates': (odd) => httpTool({ ...service, estimates: odd }),
  'HttpToolOptions.auth': (odd) => httpTool({ ...service, auth: { secret: 'KEY', ...odd } }),
  'HttpToolOptions.auth[]': (odd) => httpTool({ ...service, auth: [{ secret: 'KEY', ...odd }] }),
  'HttpToolOptions.requireApproval': (odd) => httpTool({ ...service, requireApproval: odd }),
  'HttpToolOptions.access': (odd) => httpTool({ ...service, access: odd }),
  'webScrape(options)': (odd) => webScrape(odd),
  'WebScrapeOptions.access': (odd) => webScrape({ access: odd }),
  'brave(options)': (odd) => brave(odd),
  'tavily(options)': (odd) => tavily(odd),
  'SearchServiceOptions.access': (odd) => brave({ access: odd }),
  'searxng(options)': (odd) => searxng({ url: 'https://example.com', ...odd }),
  'SearxngOptions.access': (odd) => searxng({ url: 'https://example.com', access: odd }),
  'webSearch(options)': (odd) => webSearch({ provider: localSearch([]), ...odd }),
  'webKit(options)': (odd) => webKit(odd),
  'WebKitOptions.access': (odd) => webKit({ access: odd }),
}
