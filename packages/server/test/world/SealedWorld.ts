import type { HighLevelStandIn } from "@leadloom/testkit/highlevel/HighLevelStandIn"
import { startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission } from "@leadloom/testkit/mail/SubmissionServer"
import { type Answer, adminKey, type Call, type TestServer, textAt } from "./TestServer.ts"
import { makeWorld, type World } from "./World.ts"

/** The secrets that were shown when every kind of encrypted value was created. */
export interface SealedWorld {
  readonly world: World
  readonly webhookId: string
  /** The previous secret and the current one. */
  readonly signingSecrets: readonly [string, string]
  readonly retellKey: string
  readonly assistantSecret: string
}

/** A mailbox with its mail servers. */
export interface SealedMailbox {
  readonly password: string
  /** A password that only the IMAP server accepts. The SMTP server repeats it in its refusal. */
  readonly refusedPassword: string
  /** The body of the request that connects the mailbox to the tenant `other`. */
  readonly account: Readonly<Record<string, unknown>>
  /** The mail servers, for `LEADLOOM_MAILBOX_ALLOW_HOSTS`. */
  readonly hosts: string
  readonly close: () => Promise<void>
}

/** The login name with the refused password. */
export const refusedMailbox = "refused@other.com"

/** Starts the mail servers of the mailbox. */
export const startSealedMailbox = async (): Promise<SealedMailbox> => {
  const email = "office@other.com"
  const [password, refusedPassword] = ["set-mailbox-password-0123456789", "refused-mailbox-password-0123456789"]
  const imap = await startImapStandIn({ accounts: { [email]: password, [refusedMailbox]: refusedPassword } })
  const smtp = await startSubmission({ password })
  const serverOn = (port: number) => ({ host: "127.0.0.1", port, security: "none" })
  return {
    password,
    refusedPassword,
    account: { provider: "imap", email, password, imap: serverOn(imap.port), smtp: serverOn(smtp.port) },
    hosts: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`,
    close: async () => void (await Promise.all([imap.close(), smtp.close()]))
  }
}

/** Returns the variables of the server. */
export const sealedEnvironment = (highLevel: HighLevelStandIn, { hosts }: SealedMailbox) => ({
  LEADLOOM_MAILBOX_ALLOW_HOSTS: hosts,
  LEADLOOM_LIMIT_ADMIN: "100000",
  LEADLOOM_MICROSOFT_CLIENT_ID: "client-at-microsoft",
  LEADLOOM_MICROSOFT_CLIENT_SECRET: "set-secret-of-the-client-at-microsoft-0123456789",
  LEADLOOM_MAILBOX_REDIRECT_URI: "https://dashboard.example/back",
  LEADLOOM_CRM_CLIENT_ID: highLevel.clientId,
  LEADLOOM_CRM_CLIENT_SECRET: highLevel.clientSecret,
  LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back",
  LEADLOOM_CRM_API_URL: highLevel.url
})

/** The request whose response is stored under a key. */
export const kept: Call = {
  as: adminKey,
  body: { name: "kept" },
  headers: { "idempotency-key": "kept" }
}

/**
 * Creates one of every encrypted value: a subscription, an installation, an assistant, a mailbox, a sign-in in progress,
 * a ticket and a stored response.
 */
export const makeSealedWorld = async (
  server: Pick<TestServer, "call">,
  highLevel: HighLevelStandIn,
  mailbox: SealedMailbox
): Promise<SealedWorld> => {
  const world = await makeWorld(server)
  const base = "/api/v1/tenants/acme"
  const sendRequest = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const call = body === undefined ? { as: adminKey } : { as: adminKey, body }
    const answer = await server.call(method, `${base}${path}`, call)
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`)
    return answer
  }
  const webhook = await sendRequest("POST", "/webhooks", { url: "https://hooks.example.com/in" })
  const webhookId = textAt(webhook.json, "id")
  const rotated = await sendRequest("POST", `/webhooks/${webhookId}/rotate-secret`)
  const retellKey = "key_of_retell_0123456789abcdef"
  const assistant = await sendRequest("PUT", "/assistant/secret")
  await sendRequest("PUT", "/assistant/retell-key", { api_key: retellKey })
  const state = new URL(textAt((await sendRequest("GET", "/crm/auth-url")).json, "url")).searchParams.get("state")
  await sendRequest("POST", "/crm/callback", { code: highLevel.choose("loc-1"), state })
  await sendRequest("POST", "/events/ticket")
  const connected = await server.call("POST", "/api/v1/tenants/other/email/connect", {
    as: adminKey,
    body: mailbox.account
  })
  if (connected.status !== 201) throw new Error(connected.text)
  const begun = await server.call("GET", "/api/v1/tenants/other/email/auth-url?provider=microsoft", { as: adminKey })
  if (begun.status !== 200) throw new Error(begun.text)
  await server.call("POST", `${base}/api-keys`, kept)
  return {
    world,
    webhookId,
    signingSecrets: [textAt(webhook.json, "secret"), textAt(rotated.json, "secret")],
    retellKey,
    assistantSecret: textAt(assistant.json, "secret")
  }
}
