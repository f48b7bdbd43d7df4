/**
 * Sends hostile input to a server in a separate process while another tenant uses it. Measures how long that tenant
 * waits and how much memory the server uses.
 *
 * The first inputs are those that once blocked a server. Then generated inputs follow, of five classes (nesting,
 * repetition, whitespace, length, count) for every entry point. The same seed creates the same inputs. A part of a name
 * selects inputs.
 *
 * The second tenant reads `/health` and its configuration, sends events and sends mail. Each request follows 5 ms after
 * the last answer, from another network than the sender's. Linux only.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { argumentAt, type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { someConfig } from "../test/world/Endpoints.ts"
import { fuzzEnvironment } from "../test/fuzz/Run.ts"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { type Answer, adminKey, at, type Call, readResponse, requestOf, textAt } from "../test/world/TestServer.ts"
import { makeWorld } from "../test/world/World.ts"
import { freePort } from "@leadloom/testkit/FreePort"
import { generatedInputs } from "./hostile/HostileInputs.ts"
import { type Observation, type Probe, startProbe } from "./hostile/HostileProbe.ts"
import { type HostileInput, knownInputs, saveConfig } from "./hostile/HostileRows.ts"
import type { Outcome, Scene } from "./hostile/HostileSending.ts"

/** The intended limits of the waits of the second tenant and of the server's growth. */
const maxWaitMillis = 100
const maxGrowthMiB = 200_000_000 / 1_048_576
/**
 * The server processes accepted input after its response. An input is complete when waits are as short as before it.
 */
const quietMillis = 400
const calmMillis = 60
const maxSettleMillis = 120_000
const twilioToken = "a-token-of-twilio"

const start = (folder: string, smtpPort: number) =>
  startProcess({
    ...fuzzEnvironment(folder),
    LEADLOOM_SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
    LEADLOOM_MAIL_AUTHENTICATION: "off",
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

const callOf =
  (url: string) =>
  async (method: string, path: string, options: Call = {}): Promise<Answer> =>
    readResponse(await fetch(requestOf(method, path, options, url)))

/** The server with the sender's tenant, and the probe, which is the second tenant. */
interface Stage {
  readonly scene: Scene
  readonly probe: Probe
}

const prepare = async (url: string, smtpPort: number, pid: number): Promise<Stage> => {
  const call = callOf(url)
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
  return { scene, probe: startProbe({ url, smtpPort, pid, tenantId, adminKey, sourceKey }) }
}

/** Waits until the server has processed an input. */
const settle = async (probe: Probe, calm: number): Promise<ReadonlyArray<Observation>> => {
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
    parsersMiB: Math.max(...seen.map(({ parsersMiB }) => parsersMiB)),
    requests: seen.reduce((sum, { requests }) => sum + requests, 0)
  }
}

const runOf = async ({ tenant, url }: Scene, { signalId }: Outcome): Promise<string> => {
  if (signalId === null) return ""
  const path = `/api/v1/tenants/${tenant.id}/pipeline/runs/${signalId}`
  const answer = await callOf(url)("GET", path, { as: adminKey })
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
  readonly answer: string
  readonly seen: Observation
}

const measure = async ({ probe, scene }: Stage, input: HostileInput, calm: number): Promise<Measured> => {
  const before = await probe.take()
  const outcome = await input.send(scene)
  const during = await probe.take()
  const seen = together([during, ...(await settle(probe, calm))])
  const growth = seen.peakMiB - before.peakMiB
  const refused = seen.refusals.length === 0 ? "" : `, ${seen.refusals.length} refused (${seen.refusals[0]})`
  const answer = `${outcome.answer}, ${outcome.bytes} bytes${await runOf(scene, outcome)}`
  const wait = `others wait ${seen.longestMillis.toFixed(0)} ms (${seen.longestWas})${refused}`
  progress(`${input.name}\n    ${answer}; ${wait}; memory ${growth < 0 ? "" : "+"}${growth.toFixed(0)} MiB`)
  await saveConfig(scene, someConfig)
  return { name: input.name, answer, seen }
}

const resultOf = (idle: Observation, measured: ReadonlyArray<Measured>, isAlive: boolean): BenchResult => {
  const worst = measured.toSorted((one, other) => other.seen.longestMillis - one.seen.longestMillis)
  const refusing = measured.filter(({ seen }) => seen.refusals.length > 0)
  const growth = Math.max(...measured.map(({ seen }) => seen.peakMiB)) - idle.peakMiB
  return {
    figures: {
      inputs: measured.length,
      idleWaitMillis: Math.round(idle.longestMillis),
      idleMiB: Math.round(idle.peakMiB),
      grewByMiB: Math.round(growth),
      growsTooMuch: growth > maxGrowthMiB,
      idleParsersMiB: Math.round(idle.parsersMiB),
      parsersMiB: Math.round(Math.max(...measured.map(({ seen }) => seen.parsersMiB))),
      waitsOver100Millis: measured.filter(({ seen }) => seen.longestMillis > maxWaitMillis).length,
      refusedDuring: refusing.map(({ name, seen }) => `${name}: ${seen.refusals[0]}`),
      worst: worst
        .slice(0, 10)
        .map(({ answer, name, seen }) => ({ input: name, waitMillis: Math.round(seen.longestMillis), answer }))
    },
    checks: {
      "the server survives every input": isAlive && measured.length > 0,
      "the other tenant is never refused": refusing.length === 0
    }
  }
}

interface Plan {
  readonly seed: number
  readonly count: number
  readonly wanted: string
  /** The seconds before the inputs in which the waits of an idle server are measured. */
  readonly idleSeconds: number
}

const run = async ({ count, idleSeconds, seed, wanted }: Plan): Promise<BenchResult> => {
  const folder = temporaryFolder()
  const smtpPort = await freePort()
  const server = start(folder.path, smtpPort)
  let isAlive = true
  void server.exit.then(() => (isAlive = false))
  const url = await server.url.catch((error: unknown) => {
    throw new Error(`${String(error)}: ${server.stdout()}${server.stderr()}`)
  })
  const stage = await prepare(url, smtpPort, server.pid ?? 0)
  const ended = server.exit.then(({ code, signal }) => {
    throw new Error(`The server stopped with ${code ?? signal}: ${server.stderr().slice(-2_000)}`)
  })
  ended.catch(() => undefined)
  const measureAll = async (): Promise<BenchResult> => {
    await sleep(idleSeconds * 1_000)
    await stage.probe.take()
    await sleep(idleSeconds * 1_000)
    const idle = await stage.probe.take()
    // Waits are longer on a busy machine.
    const calm = Math.max(calmMillis, 2 * idle.longestMillis)
    const inputs = [...knownInputs, ...generatedInputs(seed, count)].filter(({ name }) => name.includes(wanted))
    const measured: Array<Measured> = []
    for (const input of inputs) measured.push(await measure(stage, input, calm))
    return resultOf(idle, measured, isAlive)
  }
  try {
    return await Promise.race([ended, measureAll()])
  } finally {
    stage.probe.stop()
    server.kill("SIGKILL")
    await server.exit
    folder.remove()
  }
}

export const bench: Bench = {
  name: "hostile",
  purpose: "How long a tenant waits, and the memory of the server, while another tenant sends hostile input.",
  usage: "[seed] [count] [part of a name] [seconds of the idle measurement]",
  sizes: { smallest: [1, 0, "sessions", 0.2], small: [1, 5, "configuration", 1], full: [1, 200, "", 2] },
  run: (args) =>
    run({
      seed: numberAt(args, 0),
      count: numberAt(args, 1),
      wanted: argumentAt(args, 2),
      idleSeconds: numberAt(args, 3)
    })
}
