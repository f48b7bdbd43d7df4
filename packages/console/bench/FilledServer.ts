/** A server process with a tenant, its mails, and a listener for SMTP. */
import { createClient, type Leadloom } from "@leadloom/client"
import { freePort } from "@leadloom/testkit/FreePort"
import { startProcess, temporaryFolder } from "../../server/test/world/ServerProcess.ts"
import { adminKey } from "../../server/test/world/TestServer.ts"

const tenantId = "acme"
/** The address that receives the mails. */
export const office = "office@acme.example"
/** The limit of one import. */
const mailsPerImport = 100

/** A server that has received one mail from each of many contacts. */
export interface FilledServer {
  readonly url: string
  readonly smtpPort: number
  readonly client: Leadloom
  readonly tenantId: string
  /** Returns a one-time link to the console. */
  readonly link: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** Returns a mail whose text tells it apart from all others. */
export const mailOf = (sender: string, text: string, at: number): Buffer =>
  Buffer.from(
    `From: ${sender} <${sender}@customer.example>\r\nTo: ${office}\r\nSubject: Roof of ${sender}\r\n` +
      `Message-ID: <${sender}.${at}@customer.example>\r\nDate: ${new Date(at).toUTCString()}\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`
  )

const words = "roof gutter leak quote morning ladder tile slate inspection insurance chimney invoice estimate".split(
  " "
)

const textOf = (index: number): string =>
  Array.from({ length: 30 }, (_, place) => words[(index * 7 + place * place) % words.length]).join(" ")

/** Imports one mail each of many contacts, one minute apart. */
const importMails = async (client: Leadloom, conversations: number): Promise<void> => {
  const begin = Date.now() - conversations * 60_000
  for (let first = 0; first < conversations; first += mailsPerImport) {
    const length = Math.min(mailsPerImport, conversations - first)
    const mails = Array.from({ length }, (_, place) => {
      const index = first + place
      const raw = mailOf(`contact${index}`, textOf(index), begin + index * 60_000).toString("base64")
      return { name: String(index), raw }
    })
    await client.import.email(tenantId, { historical: true, mails })
  }
}

/** Starts a server on SQLite and fills its tenant. */
export const startFilled = async (conversations: number): Promise<FilledServer> => {
  const folder = temporaryFolder()
  const smtpPort = await freePort()
  const server = startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SECRET_KEY: "a-secret-key-for-measurements-only",
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-measurements",
    LEADLOOM_SMTP_LISTEN: `127.0.0.1:${smtpPort}`,
    LEADLOOM_SMTP_TRUSTED_NETWORKS: "127.0.0.0/8",
    // No request to a name server is part of the measurement.
    LEADLOOM_MAIL_AUTHENTICATION: "off",
    LEADLOOM_LIMIT_ADMIN: "1000000"
  })
  const url = await server.url
  const client = createClient({ baseUrl: url, credential: adminKey })
  await client.tenants.create({ tenant_id: tenantId, name: "Acme", domain: "acme.example" })
  await client.email.connect(tenantId, { provider: "smtp", email: office, name: "Acme" })
  await importMails(client, conversations)
  return {
    url,
    smtpPort,
    client,
    tenantId,
    link: async () => {
      const user = { name: "Ann Agent", email: "ann@acme.example" }
      const { ticket } = await client.sessions.createTicket({ tenant_id: tenantId, user, role: "admin" })
      return `${url}/sign-in#ticket=${ticket}`
    },
    stop: async () => {
      server.kill("SIGTERM")
      await server.exit
      folder.remove()
    }
  }
}
