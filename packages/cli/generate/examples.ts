/**
 * Writes `packages/api/examples.json`: the requests and responses of the reference, recorded in a run of the demo. Run
 * it after a change of the contract: `node --conditions=leadloom:source packages/cli/generate/examples.ts`. Its output
 * contains times and ids of the run, so `npm run generate` does not run it. Tests:
 * `packages/api/test/Examples.test.ts`.
 */
import { writeFile } from "node:fs/promises"
import { tidied } from "./ExampleNames.ts"
import { schemaExamples } from "./ExampleProviders.ts"
import { makeRecorder } from "./ExampleRecorder.ts"
import { scenario } from "./ExampleScenario.ts"
import { withExampleServer } from "./ExampleServer.ts"

await withExampleServer(async ({ adminKey, began, receiver, url }) => {
  const recorder = await makeRecorder(url)
  await scenario({ adminKey, recorder, receiver, url })
  const { examples, missing } = recorder
  const text = tidied(
    { examples: Object.fromEntries(examples), schemas: schemaExamples(examples) },
    began,
    url,
    receiver.host
  )
  await writeFile(new URL("../../api/examples.json", import.meta.url), text)
  process.stdout.write(`${examples.size} operations. Without an example: ${missing().join(", ") || "none"}\n`)
})
