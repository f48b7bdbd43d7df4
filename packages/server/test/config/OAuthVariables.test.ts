import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const redirect = { LEADLOOM_MAILBOX_REDIRECT_URI: "https://dashboard.example.com/email/connected" }
const google = { ...redirect, LEADLOOM_GOOGLE_CLIENT_ID: "client-1", LEADLOOM_GOOGLE_CLIENT_SECRET: "secret-1" }
const microsoft = {
  ...redirect,
  LEADLOOM_MICROSOFT_CLIENT_ID: "client-2",
  LEADLOOM_MICROSOFT_CLIENT_SECRET: "secret-2"
}
const directory = "72f988bf-86f1-41af-91ab-2d7cd011db47"

const clientsOf = (env: Environment) => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : config.oauthClients
}
const wrong = (env: Environment): ReadonlyArray<string | undefined> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes.map((line) => line.split(" ")[0]) : []
}

describe("the clients at Google and Microsoft", () => {
  it("exist only with a client id", () => {
    expect(clientsOf({})).toEqual([])
    expect(clientsOf(redirect)).toEqual([])
    expect(clientsOf({ ...google, ...microsoft })).toMatchObject([
      { provider: "google", clientId: "client-1", redirectUri: redirect.LEADLOOM_MAILBOX_REDIRECT_URI },
      { provider: "microsoft", clientId: "client-2" }
    ])
  })

  it("accept all accounts of Microsoft, or those of one directory", () => {
    const authority = "https://login.microsoftonline.com"
    expect(clientsOf(microsoft)).toMatchObject([
      { tokenUrl: `${authority}/common/oauth2/v2.0/token`, issuer: `${authority}/{tenantid}/v2.0` }
    ])
    expect(clientsOf({ ...microsoft, LEADLOOM_MICROSOFT_TENANT: directory })).toMatchObject([
      { tokenUrl: `${authority}/${directory}/oauth2/v2.0/token`, issuer: `${authority}/${directory}/v2.0` }
    ])
  })

  it.each([
    ["gcc-high", "login.microsoftonline.us", "outlook.office365.us", "outlook.office365.us", "outlook.office365.us"],
    ["dod", "login.microsoftonline.us", "outlook.office365.us", "outlook-dod.office365.us", "outlook-dod.office365.us"],
    ["china", "login.partner.microsoftonline.cn", "partner.outlook.cn", "partner.outlook.cn", "smtp.partner.outlook.cn"]
  ])("use the sign-in and the mail servers of the cloud %s", (cloud, authority, resource, imap, smtp) => {
    const env = { ...microsoft, LEADLOOM_MICROSOFT_CLOUD: cloud, LEADLOOM_MICROSOFT_TENANT: directory }
    const [client] = clientsOf(env)
    expect(client).toMatchObject({
      issuer: `https://${authority}/${directory}/v2.0`,
      discoveryUrl: `https://${authority}/${directory}/v2.0/.well-known/openid-configuration`,
      authorizationUrl: `https://${authority}/${directory}/oauth2/v2.0/authorize`,
      tokenUrl: `https://${authority}/${directory}/oauth2/v2.0/token`,
      mailScopes: [`https://${resource}/IMAP.AccessAsUser.All`, `https://${resource}/SMTP.Send`],
      imap: { host: imap, port: 993, security: "tls" },
      smtp: { host: smtp, port: 587, security: "starttls" }
    })
    // Personal accounts exist in the global cloud only. Nothing of a national cloud goes to the global one.
    expect(client).not.toHaveProperty("personalSmtp")
    expect(JSON.stringify({ ...Object(client), redirectUri: "" })).not.toContain(".com")
  })

  it("use other mail servers of Microsoft if the operator names them", () => {
    const env = {
      ...microsoft,
      LEADLOOM_MICROSOFT_CLOUD: "gcc-high",
      LEADLOOM_MICROSOFT_IMAP_HOST: "IMAP.example.us",
      LEADLOOM_MICROSOFT_SMTP_HOST: "smtp.office365.us"
    }
    expect(clientsOf(env)).toMatchObject([
      { imap: { host: "imap.example.us", port: 993 }, smtp: { host: "smtp.office365.us", port: 587 } }
    ])
    const [client] = clientsOf({ ...microsoft, LEADLOOM_MICROSOFT_SMTP_HOST: "smtp.example.com" })
    expect(client).not.toHaveProperty("personalSmtp")
    expect(clientsOf(microsoft)).toMatchObject([{ personalSmtp: { host: "smtp-mail.outlook.com" } }])
  })

  it.each([
    ["LEADLOOM_MICROSOFT_CLOUD", { ...microsoft, LEADLOOM_MICROSOFT_CLOUD: "germany" }],
    ["LEADLOOM_MICROSOFT_IMAP_HOST", { ...microsoft, LEADLOOM_MICROSOFT_IMAP_HOST: "imap.example.com:993" }],
    ["LEADLOOM_MICROSOFT_SMTP_HOST", { ...microsoft, LEADLOOM_MICROSOFT_SMTP_HOST: "localhost" }],
    ["LEADLOOM_GOOGLE_CLIENT_SECRET", { ...google, LEADLOOM_GOOGLE_CLIENT_SECRET: undefined }],
    ["LEADLOOM_MICROSOFT_CLIENT_SECRET", { ...microsoft, LEADLOOM_MICROSOFT_CLIENT_SECRET: undefined }],
    ["LEADLOOM_GOOGLE_CLIENT_ID", { ...google, LEADLOOM_GOOGLE_CLIENT_ID: undefined }],
    ["LEADLOOM_MAILBOX_REDIRECT_URI", { ...google, LEADLOOM_MAILBOX_REDIRECT_URI: undefined }],
    ["LEADLOOM_MAILBOX_REDIRECT_URI", { ...google, LEADLOOM_MAILBOX_REDIRECT_URI: "http://dashboard.example.com/" }],
    ["LEADLOOM_MICROSOFT_TENANT", { ...microsoft, LEADLOOM_MICROSOFT_TENANT: "../evil" }]
  ])("need a valid %s", (name, env) => {
    expect(wrong(env)).toEqual([name])
  })
})
