/**
 * Sends hostile input to a server in a separate process while another tenant uses it. Measures how long that tenant
 * waits and how much memory the server uses.
 *
 *   npm run bench -- hostile [seed] [count] [part of a name]
 *
 * The first inputs are those that once blocked a server. Then `count` (200) generated inputs follow, of five classes
 * (nesting, repetition, whitespace, length, count) for every entry point. The same seed (1) creates the same inputs. A
 * part of a name selects inputs.
 *
 * The second tenant reads `/health` and its configuration, sends events and sends mail. Each request follows 5 ms after
 * the last answer, from another network than the sender's.
 *
 * Prints for each input: its result, the size of the response, the longest wait and the refusals of the second tenant,
 * and the maximum growth of resident memory. Linux only. Exit code 1: the second tenant waited for more than 100 ms or
 * was refused, or the server grew by more than 200 MB since the first input.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { someConfig } from "../test/world/Endpoints.ts"
import { fuzzEnvironment } from "../test/fuzz/Run.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { type Answer, adminKey, at, type Call, readResponse, requestOf, textAt } from "../test/world/TestServer.ts"
import { makeWorld } from "../test/world/World.ts"
import { freePort } from "@leadloom/testkit/FreePort"
import { generatedInputs } from "./HostileInputs.ts"
import { type Observation, type Probe, startProbe } from "./HostileProbe.ts"
import { type HostileInput, knownInputs, saveConfig } from "./HostileRows.ts"
import type { Outcome, Scene } from "./HostileSending.ts"

const [seed = 1, count = 200] = process.argv.slice(2, 4).map(Number)
const wanted = process.argv[4] ?? ""
const maxWaitMillis = 100
const maxGrowthMiB = 200_000_000 / 1_048_576
/**
 * The server processes accepted input after its response. An input is complete when waits are as short as before it.
 */
const quietMillis = 400
const calmMillis = 60
const maxSettleMillis = 120_000

let isDone = false
const twilioToken = "a-token-of-twilio"
const folder = temporaryFolder()
const smtpPort = await freePort()
const server = startProcess({
  ...fuzzEnvironment(folder.path),
  LEADLOOM_SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
  LEADLOOM_SMTP_URL: "smtp://127.0.0.1:9",
  LEADLOOM_PUBLIC_URL: "https://leads.example.com",
  LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  LEADLOOM_TWILIO_AUTH_TOKEN: twilioToken,
  LEADLOOM_TWILIO_API_URL: "http://127.0.0.1:9",
  LEADLOOM_STRIPE_SECRET_KEY: "sk_test_nothing",
  LEADLOOM_STRIPE_WEBHOOK_SECRET: "whsec_nothing",
  LEADLOOM_STRIPE_SUCCESS_URL: "https://acme.example/paid",
  LEADLOOM_STRIPE_CANCEL_URL: "https://acme.example/plans",
  LEADLOOM_STRIPE_RETURN_URL: "https://acme.example/billing"
})
const url = await server.url.catch((error: unknown) => {
  throw new Error(`${String(error)}: ${server.stdout()}${server.stderr()}`)
})
const call = async (method: string, path: string, options: Call = {}): Promise<Answer> =>
  readResponse(await fetch(requestOf(method, path, options, url)))

const prepare = async (): Promise<{ readonly scene: Scene; readonly probe: Probe }> => {
  const { acme, other } = await makeWorld({ call })
  for (const tenant of [acme, other]) {
    await call("PATCH", `/api/v1/admin/tenants/${tenant.id}`, { as: adminKey, body: { plan: "scale" } })
    await call("PUT", `/api/v1/usage/${tenant.id}`, { as: adminKey, body: { actions: { cap: 1_000_000 } } })
  }
  const phone = { phone: "+15550100001", tenant_id: acme.id }
  await call("PUT", "/api/v1/admin/phone-numbers", { as: adminKey, body: phone })
  await call("PUT", "/api/v1/config/acme", { as: adminKey, body: someConfig })
  const account = { provider: "smtp", email: "sales@acme.com" }
  await call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body: account })
  const jane = { name: "Jane", email: "jane@customer.example" }
  const contact = await call("POST", "/api/v1/tenants/acme/contacts", { as: acme.apiKey, body: jane })
  const assistant = await call("PUT", "/api/v1/tenants/acme/assistant/secret", { as: adminKey })
  const scene = {
    url,
    smtpPort,
    adminKey,
    tenant: acme,
    contactId: textAt(contact.json, "id"),
    assistantSecret: textAt(assistant.json, "secret"),
    twilioToken
  }
  const { id: tenantId, sourceKey } = other
  return { scene, probe: startProbe({ url, smtpPort, pid: server.pid ?? 0, tenantId, adminKey, sourceKey }) }
}

/** Waits until the server has processed an input. */
const settle = async (probe: Probe): Promise<ReadonlyArray<Observation>> => {
  const began = performance.now()
  const observed: Array<Observation> = []
  for (;;) {
    await sleep(quietMillis)
    const seen = await probe.take()
    observed.push(seen)
    if (seen.longestMillis <= calm || performance.now() - began > maxSettleMillis) return observed
  }
}

const together = (seen: ReadonlyArray<Observation>): Observation => {
  const worst = seen.toSorted((one, other) => other.longestMillis - one.longestMillis)[0]
  return {
    longestMillis: worst?.longestMillis ?? 0,
    longestWas: worst?.longestWas ?? "",
    refusals: seen.flatMap(({ refusals }) => refusals),
    peakMiB: Math.max(...seen.map(({ peakMiB }) => peakMiB)),
    requests: seen.reduce((sum, { requests }) => sum + requests, 0)
  }
}

const runOf = async ({ tenant }: Scene, { signalId }: Outcome): Promise<string> => {
  if (signalId === null) return ""
  const answer = await call("GET", `/api/v1/tenants/${tenant.id}/pipeline/runs/${signalId}`, { as: adminKey })
  const countOf = (name: string): number => {
    const list = at(answer.json, name)
    return Array.isArray(list) ? list.length : 0
  }
  return answer.status === 200
    ? `, run of ${countOf("matched_rules")} rules and ${countOf("actions")} actions`
    : `, run ${answer.status}`
}

interface Measured {
  readonly name: string
  readonly seen: Observation
}

const measure = async (scene: Scene, probe: Probe, input: HostileInput): Promise<Measured> => {
  const before = await probe.take()
  const outcome = await input.send(scene)
  const during = await probe.take()
  const seen = together([during, ...(await settle(probe))])
  const growth = seen.peakMiB - before.peakMiB
  const refused = seen.refusals.length === 0 ? "" : `, ${seen.refusals.length} refused (${seen.refusals[0]})`
  const what = `${outcome.answer}, ${outcome.bytes} bytes${await runOf(scene, outcome)}`
  const wait = `others wait ${seen.longestMillis.toFixed(0)} ms (${seen.longestWas})${refused}`
  console.log(`${input.name}\n    ${what}; ${wait}; memory ${growth < 0 ? "" : "+"}${growth.toFixed(0)} MiB`)
  await saveConfig(scene, someConfig)
  return { name: input.name, seen }
}

const { scene, probe } = await prepare()
void server.exit.then(({ code, signal }) => {
  if (isDone) return
  console.error(`The server stopped with ${code ?? signal}: ${server.stderr().slice(-2_000)}`)
  probe.stop()
  process.exit(1)
})
await sleep(2_000)
await probe.take()
await sleep(2_000)
const idle = await probe.take()
/** Waits are longer on a busy machine. */
const calm = Math.max(calmMillis, 2 * idle.longestMillis)
console.log(
  `idle: ${idle.requests} requests in 2 s, longest wait ${idle.longestMillis.toFixed(0)} ms (${idle.longestWas}), ${idle.peakMiB.toFixed(0)} MiB`
)
const inputs = [...knownInputs, ...generatedInputs(seed, count)].filter(({ name }) => name.includes(wanted))
const measured: Array<Measured> = []
for (const input of inputs) measured.push(await measure(scene, probe, input))
const worst = measured.toSorted((one, other) => other.seen.longestMillis - one.seen.longestMillis)
const slow = measured.filter(({ seen }) => seen.longestMillis > maxWaitMillis)
const refusing = measured.filter(({ seen }) => seen.refusals.length > 0)
const growth = Math.max(...measured.map(({ seen }) => seen.peakMiB)) - idle.peakMiB
console.log(`\n${measured.length} inputs (seed ${seed}); the worst:`)
for (const { name, seen } of worst.slice(0, 10)) console.log(`  ${seen.longestMillis.toFixed(0)} ms  ${name}`)
console.log(
  `${slow.length} made others wait for more than ${maxWaitMillis} ms; others were refused during ${refusing.length}`
)
console.log(`memory grew by at most ${growth.toFixed(0)} MiB over ${idle.peakMiB.toFixed(0)} MiB`)
isDone = true
probe.stop()
server.kill("SIGKILL")
await server.exit
folder.remove()
process.exit(slow.length + refusing.length === 0 && growth <= maxGrowthMiB ? 0 : 1)
