import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "./FakeTerminal.ts"
import { startStub, type StubServer } from "./StubServer.ts"

let folder = ""
let stub: StubServer | null = null
beforeAll(async () => {
  folder = await makeFolder()
  stub = await startStub(() => ({ status: 200, body: {} }))
  await writeFile(join(folder, "not.json"), "{,}")
})
afterAll(async () => {
  await stub?.close()
  await removeFolder(folder)
})

/** Wrong settings of the server with the answers of `leadloom config check`. */
const wrongSettings: ReadonlyArray<readonly [setting: string, answer: string]> = [
  ["LEADLOOM_PORT=80x", 'LEADLOOM_PORT must be an integer from 0 to 65535, not "80x".'],
  ["LEADLOOM_PORT=70000", 'LEADLOOM_PORT must be an integer from 0 to 65535, not "70000".'],
  ["LEADLOOM_HOST=my host", 'LEADLOOM_HOST must be an address or a host name such as 0.0.0.0, not "my host".'],
  ["LEADLOOM_DB_URL=sqlite:a.db", "LEADLOOM_DB_URL is not a variable of Leadloom. Did you mean LEADLOOM_DATABASE_URL?"],
  ["LEADLOOM_ADMINKEY=x", "LEADLOOM_ADMINKEY is not a variable of Leadloom. Did you mean LEADLOOM_ADMIN_KEY?"],
  [
    "LEADLOOM_COLOUR=blue",
    "LEADLOOM_COLOUR is not a variable of Leadloom. Unset it. To list all variables, run: leadloom init --out -"
  ],
  [
    "LEADLOOM_SERVICE_HOST=10.0.0.1",
    "LEADLOOM_SERVICE_HOST is not a variable of Leadloom. Kubernetes sets it for a Service. Set enableServiceLinks: false in the pod."
  ],
  [
    "LEADLOOM_DATABASE_URL=mysql://root:hunter2@db/leads",
    'LEADLOOM_DATABASE_URL begins with "mysql". Use sqlite:<file path> or postgres://user:password@host:5432/database.'
  ],
  [
    "LEADLOOM_DATABASE_URL=postgres://",
    "LEADLOOM_DATABASE_URL is incomplete. Use sqlite:<file path> or postgres://user:password@host:5432/database."
  ],
  [
    "LEADLOOM_ADMIN_KEY=secret",
    "LEADLOOM_ADMIN_KEY is too short. Use at least 32 characters. Generate one with: openssl rand -hex 32"
  ],
  [
    "LEADLOOM_SESSION_SECRET=secret",
    "LEADLOOM_SESSION_SECRET is too short. Use at least 32 characters. Generate one with: openssl rand -hex 32"
  ],
  [
    "LEADLOOM_LOG_LEVEL=warning",
    'LEADLOOM_LOG_LEVEL must be one of error, warn, info, debug, not "warning". Did you mean warn?'
  ],
  [
    "LEADLOOM_PUBLIC_URL=leads.example.com",
    'LEADLOOM_PUBLIC_URL must have the form https://leads.example.com, not "leads.example.com".'
  ],
  [
    "LEADLOOM_TRUSTED_PROXIES=proxy",
    'LEADLOOM_TRUSTED_PROXIES is wrong: "proxy" is not an address or a network like 10.0.0.0/8 or fd00::/8.'
  ],
  ["LEADLOOM_METRICS_PORT=4800", "LEADLOOM_METRICS_PORT must differ from LEADLOOM_PORT, which is 4800."],
  ["LEADLOOM_SMTP_LISTEN=25", 'LEADLOOM_SMTP_LISTEN must have the form 0.0.0.0:25, not "25".'],
  [
    "LEADLOOM_SMTP_URL=mail.example.com",
    "LEADLOOM_SMTP_URL must have the form smtp://user:password@mail.example.com:587 or smtps://…:465."
  ],
  [
    "LEADLOOM_LLM_PROVIDER=opnai LEADLOOM_LLM_API_KEY=sk-0123456789",
    'LEADLOOM_LLM_PROVIDER must be one of openai, anthropic, not "opnai". Did you mean openai?'
  ],
  ["LEADLOOM_WEBHOOK_DELIVERY=fast", 'LEADLOOM_WEBHOOK_DELIVERY must be one of durable, once, off, not "fast".'],
  [
    "LEADLOOM_WEBHOOK_ALLOW_HOSTS=receiver",
    'LEADLOOM_WEBHOOK_ALLOW_HOSTS is wrong: "receiver" has no port: write it like receiver.internal:8080 or [fd00::1]:8080'
  ],
  ["LEADLOOM_NEW_DATABASE=on", 'LEADLOOM_NEW_DATABASE must be "yes" or unset, not "on".'],
  [
    "LEADLOOM_OIDC_ISSUER=http://login",
    'LEADLOOM_OIDC_ISSUER must have the form https://login.example.com/realm, not "http://login".'
  ],
  [
    "LEADLOOM_TWILIO_ACCOUNT_SID=AC1",
    "LEADLOOM_TWILIO_ACCOUNT_SID must be the SID of the account: AC and 32 hexadecimal digits."
  ]
]

/** Wrong commands with their answers. All of them have exit code 2. */
const wrongCommands: ReadonlyArray<readonly [line: string, answer: string]> = [
  ["tenant list", "Unknown command 'tenant'. Did you mean tenants? See leadloom --help."],
  ["tenants lst", "Unknown command 'lst'. Did you mean list? See leadloom tenants --help."],
  ["config valdiate a.json", "Unknown command 'valdiate'. Did you mean validate? See leadloom config --help."],
  ["tenants list --jsn", "Unknown option '--jsn'. Did you mean --json? See leadloom tenants list --help."],
  ["tenants get", "Missing required argument 'tenant-id'. See leadloom tenants get --help."],
  ["tenants create acme", "Required option '--name <name>' not specified. See leadloom tenants create --help."],
  [
    "tenants create acme --name A --time-zone Berlin",
    "Option '--time-zone <zone>' argument 'Berlin' is invalid. Did you mean Europe/Berlin? See leadloom tenants create --help."
  ],
  [
    "pipeline dry-run --tenant a --message m --channel SSM",
    "Option '--channel <channel>' argument 'SSM' is invalid. Allowed choices are email, sms, voice, chat, webhook. Did you mean sms? See leadloom pipeline dry-run --help."
  ],
  [
    "webhooks update wh_1 --tenant a --status activ",
    "Option '--status <status>' argument 'activ' is invalid. Allowed choices are active, paused, disabled. Did you mean active? See leadloom webhooks update --help."
  ],
  [
    "completion zhs",
    "Command-argument value 'zhs' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish. Did you mean zsh? See leadloom completion --help."
  ],
  [
    "import . --tenant a --batch 101",
    "Option '--batch <n>' argument '101' is invalid. Must be an integer from 1 to 100. See leadloom import --help."
  ],
  [
    "sources list --tenant a --all-tenants",
    "Option '--all-tenants' cannot be used with option '--tenant <id>'. See leadloom sources list --help."
  ],
  [
    "config put a.json b.json --tenant a",
    "Too many arguments for 'put'. Expected 1 argument but got 2: a.json, b.json. See leadloom config put --help."
  ],
  ["tenants list --url localhost", "localhost is not a server URL. Use a URL such as http://127.0.0.1:4800."],
  ["config validate nowhere.json", "Cannot read nowhere.json."]
]

describe("a wrong setting", () => {
  it("is one of 23 examples", () => {
    expect(wrongSettings).toHaveLength(23)
  })

  it.each(wrongSettings)("%s is reported with the next step", async (setting, answer) => {
    // A value may contain spaces, but no space before a name.
    const env = Object.fromEntries(setting.split(/ (?=LEADLOOM_)/u).map((one) => one.split(/=(?<value>.*)/u)))
    const ran = await runOn(fakeTerminal(folder, env), ["config", "check"])
    expect(ran).toEqual({ exitCode: 1, out: `${answer}\n`, err: "1 mistake found. Correct it before the start.\n" })
  })
})

describe("a wrong command", () => {
  it("is one of 15 examples", () => {
    expect(wrongCommands).toHaveLength(15)
  })

  it.each(wrongCommands)("`leadloom %s` is reported with the next step, before any request", async (line, answer) => {
    const env = { LEADLOOM_URL: stub?.url ?? "", LEADLOOM_ADMIN_KEY: "secret" }
    const ran = await runOn(fakeTerminal(folder, env), line.split(" "))
    expect(ran).toEqual({ exitCode: 2, out: "", err: `${answer}\n` })
    expect(stub?.seen).toEqual([])
  })
})
