import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const mistakesOf = (env: Environment): ReadonlyArray<string> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : []
}

describe("the configuration", () => {
  it("has a default for every value", () => {
    expect(readConfig({})).toEqual({
      environment: expect.anything(),
      host: "127.0.0.1",
      port: 4800,
      metrics: null,
      traces: null,
      dataDir: "./leadloom-data",
      databaseUrl: "sqlite:leadloom-data/leadloom.db",
      adminKeys: [],
      sessionSecrets: [],
      secretKey: null,
      vaultKeys: [],
      secretKeyLost: false,
      newDatabase: false,
      limits: {
        admin: { limit: 600, windowMillis: 60_000 },
        webhook: { limit: 300, windowMillis: 60_000 },
        workflow: { limit: 120, windowMillis: 60_000 },
        publicLeads: { limit: 10, windowMillis: 60_000 },
        badCredentials: { limit: 30, windowMillis: 60_000 }
      },
      trustedProxies: [],
      logLevel: "info",
      logFormat: "json",
      smtpRelay: null,
      smtpListen: null,
      nylas: null,
      oauthClients: [],
      oidc: null,
      consoleSignIn: null,
      llm: null,
      turnstile: null,
      stripe: null,
      crm: null,
      publicUrl: null,
      twilio: null,
      sms: [],
      crmCallers: { ssoSecret: null, actionSecrets: [] },
      objects: { kind: "disk", directory: "leadloom-data/objects" },
      clamd: null,
      egress: { allowHosts: [] },
      mailboxHosts: { allowHosts: [] },
      mailboxConnectionLimit: 1_000,
      webhookDelivery: "durable",
      mcp: false,
      console: true,
      emailAccountsPerTenant: 1,
      eventRetentionDays: 30
    })
  })

  it("reads Stripe's key and the pages to which people return", () => {
    const stripe = {
      LEADLOOM_STRIPE_SECRET_KEY: "sk_test_0123456789",
      LEADLOOM_STRIPE_WEBHOOK_SECRET: "whsec_one_of_two, whsec_another",
      LEADLOOM_STRIPE_PRICE_GROWTH: "price_now, price_before",
      LEADLOOM_STRIPE_SUCCESS_URL: "https://acme.example/paid?session={CHECKOUT_SESSION_ID}",
      LEADLOOM_STRIPE_CANCEL_URL: "https://acme.example/plans",
      LEADLOOM_STRIPE_RETURN_URL: "https://acme.example/billing"
    }
    const config = readConfig(stripe)
    expect("mistakes" in config ? config : config.stripe).toMatchObject({
      apiUrl: "https://api.stripe.com",
      prices: { starter: [], growth: ["price_now", "price_before"], scale: [] },
      creditPrice: null,
      webhookSecrets: [expect.anything(), expect.anything()]
    })
    expect(JSON.stringify(config)).not.toMatch(/sk_test|whsec/u)
    const wrong = (changes: Environment) => mistakesOf({ ...stripe, ...changes }).map((line) => line.split(" ")[0])
    expect(wrong({ LEADLOOM_STRIPE_SUCCESS_URL: "" })).toEqual(["LEADLOOM_STRIPE_SUCCESS_URL"])
    expect(wrong({ LEADLOOM_STRIPE_RETURN_URL: "acme.example" })).toEqual(["LEADLOOM_STRIPE_RETURN_URL"])
    expect(wrong({ LEADLOOM_STRIPE_PRICE_SCALE: "49 dollars" })).toEqual(["LEADLOOM_STRIPE_PRICE_SCALE"])
    expect(wrong({ LEADLOOM_STRIPE_API_URL: "http://stripe.example" })).toEqual(["LEADLOOM_STRIPE_API_URL"])
    expect(wrong({ LEADLOOM_STRIPE_SECRET_KEY: "short" })).toEqual(["LEADLOOM_STRIPE_SECRET_KEY"])
    expect(wrong({ LEADLOOM_STRIPE_SECRET_KEY: "" })).toEqual([])
  })

  it("requires key, application and an https return URL for hosted accounts", () => {
    const nylas = {
      LEADLOOM_NYLAS_API_KEY: "nyk_0123456789",
      LEADLOOM_NYLAS_CLIENT_ID: "an-application",
      LEADLOOM_NYLAS_REDIRECT_URI: "https://dashboard.example/back"
    }
    const config = readConfig(nylas)
    expect("mistakes" in config ? config : config.nylas).toMatchObject({
      apiUrl: "https://api.us.nylas.com",
      clientId: "an-application",
      webhookSecret: null
    })
    expect(JSON.stringify(config)).not.toContain("nyk_0123456789")
    const wrong = (changes: Environment) => mistakesOf({ ...nylas, ...changes }).map((line) => line.split(" ")[0])
    expect(wrong({ LEADLOOM_NYLAS_CLIENT_ID: "" })).toEqual(["LEADLOOM_NYLAS_CLIENT_ID"])
    expect(wrong({ LEADLOOM_NYLAS_REDIRECT_URI: "http://dashboard.example" })).toEqual(["LEADLOOM_NYLAS_REDIRECT_URI"])
    expect(wrong({ LEADLOOM_NYLAS_API_URL: "http://api.nylas.example" })).toEqual(["LEADLOOM_NYLAS_API_URL"])
    expect(wrong({ LEADLOOM_NYLAS_API_URL: "http://127.0.0.1:9/" })).toEqual([])
    expect(wrong({ LEADLOOM_NYLAS_WEBHOOK_SECRET: "short" })).toEqual(["LEADLOOM_NYLAS_WEBHOOK_SECRET"])
    expect(wrong({ LEADLOOM_NYLAS_API_KEY: "" })).toEqual([])
  })

  it("requires an app and an https return URL for a CRM, and accepts its public key", () => {
    const pem = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString()
    const crm = {
      LEADLOOM_CRM_CLIENT_ID: "an-app",
      LEADLOOM_CRM_CLIENT_SECRET: "the-secret-of-the-app",
      LEADLOOM_CRM_REDIRECT_URI: "https://dashboard.example/back"
    }
    const config = readConfig(crm)
    expect("mistakes" in config ? config : config.crm).toMatchObject({
      apiUrl: "https://services.leadconnectorhq.com",
      authorizeUrl: "https://marketplace.gohighlevel.com/v2/oauth/chooselocation",
      clientId: "an-app",
      webhookKeys: []
    })
    expect(JSON.stringify(config)).not.toContain("the-secret-of-the-app")
    const keys = (text: string) => {
      const read = readConfig({ ...crm, LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY: text })
      return "mistakes" in read ? read.mistakes[0]?.split(" ")[0] : read.crm?.webhookKeys.length
    }
    expect([keys(pem), keys(pem.replaceAll("\n", "\\n")), keys(pem + pem), keys("a key")]).toEqual([
      1,
      1,
      2,
      "LEADLOOM_CRM_WEBHOOK_PUBLIC_KEY"
    ])
    const wrong = (changes: Environment) => mistakesOf({ ...crm, ...changes }).map((line) => line.split(" ")[0])
    expect(wrong({ LEADLOOM_CRM_CLIENT_SECRET: "" })).toEqual(["LEADLOOM_CRM_CLIENT_SECRET"])
    expect(wrong({ LEADLOOM_CRM_REDIRECT_URI: "http://dashboard.example" })).toEqual(["LEADLOOM_CRM_REDIRECT_URI"])
    expect(wrong({ LEADLOOM_CRM_API_URL: "http://api.example" })).toEqual(["LEADLOOM_CRM_API_URL"])
    expect(wrong({ LEADLOOM_CRM_API_URL: "http://127.0.0.1:9/" })).toEqual([])
    expect(wrong({ LEADLOOM_CRM_AUTHORIZE_URL: "javascript:alert(1)" })).toEqual(["LEADLOOM_CRM_AUTHORIZE_URL"])
    expect(wrong({ LEADLOOM_CRM_CLIENT_ID: "" })).toEqual([])
  })

  it("permits exceptional webhook hosts and reports invalid ones", () => {
    const config = readConfig({ LEADLOOM_WEBHOOK_ALLOW_HOSTS: " receiver:8080, [fd00::1]:80 " })
    expect("mistakes" in config ? config : config.egress).toEqual({
      allowHosts: [
        { host: "receiver", port: 8080 },
        { host: "fd00::1", port: 80 }
      ]
    })
    const mistakes = mistakesOf({ LEADLOOM_WEBHOOK_ALLOW_HOSTS: "receiver,http://x:1,fine:1" })
    expect(mistakes).toHaveLength(2)
    expect(mistakes[0]).toContain('LEADLOOM_WEBHOOK_ALLOW_HOSTS is wrong: "receiver" has no port')
  })

  it("trusts the listed proxies and reports invalid ones", () => {
    const config = readConfig({ LEADLOOM_TRUSTED_PROXIES: " 127.0.0.1, FD00::/8 ," })
    expect("mistakes" in config ? config : config.trustedProxies).toEqual(["127.0.0.1", "fd00::/8"])
    const mistakes = mistakesOf({ LEADLOOM_TRUSTED_PROXIES: "10.0.0.0/8, proxy, ::/0" })
    expect(mistakes).toHaveLength(2)
    expect(mistakes[0]).toMatch(/^LEADLOOM_TRUSTED_PROXIES is wrong: "proxy" is not an address/u)
  })

  it("reads a complete Twilio account", () => {
    const account = {
      LEADLOOM_PUBLIC_URL: "https://leads.example.com/",
      LEADLOOM_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      LEADLOOM_TWILIO_AUTH_TOKEN: "a-token-of-twilio"
    }
    const config = readConfig(account)
    expect("mistakes" in config ? config : config.twilio).toMatchObject({
      apiUrl: "https://api.twilio.com",
      apiKey: null,
      formerAuthToken: null
    })
    expect("mistakes" in config ? config : config.publicUrl).toBe("https://leads.example.com")
    expect(JSON.stringify(config)).not.toContain("a-token-of-twilio")
    const wrong = (changes: Environment) => mistakesOf({ ...account, ...changes }).map((line) => line.split(" ")[0])
    for (const name of Object.keys(account)) expect(wrong({ [name]: "" })).toEqual([name])
    expect(wrong({ LEADLOOM_PUBLIC_URL: "leads.example.com" })).toEqual(["LEADLOOM_PUBLIC_URL"])
    expect(wrong({ LEADLOOM_TWILIO_ACCOUNT_SID: "acme" })).toEqual(["LEADLOOM_TWILIO_ACCOUNT_SID"])
    expect(wrong({ LEADLOOM_TWILIO_API_URL: "api.twilio.com" })).toEqual(["LEADLOOM_TWILIO_API_URL"])
    expect(wrong({ LEADLOOM_TWILIO_API_KEY_SID: `SK${"1".repeat(32)}` })).toEqual(["LEADLOOM_TWILIO_API_KEY_SECRET"])
    expect(wrong({ LEADLOOM_TWILIO_API_KEY_SECRET: "a-secret-of-twilio" })).toEqual(["LEADLOOM_TWILIO_API_KEY_SID"])
  })

  it("reads the language model, at OpenAI by default", () => {
    const named = { LEADLOOM_LLM_MODEL: "gpt-test", LEADLOOM_LLM_API_KEY: "sk-0123456789" }
    const llm = (changes: Environment) => {
      const config = readConfig({ ...named, ...changes })
      return "mistakes" in config ? config : config.llm
    }
    const defaults = { provider: "openai", baseUrl: "https://api.openai.com/v1", timeoutMillis: 20_000, concurrency: 8 }
    expect(llm({})).toMatchObject({ ...defaults, model: "gpt-test" })
    expect(llm({ LEADLOOM_LLM_MODEL: "" })).toBeNull()
    expect(llm({ LEADLOOM_LLM_BASE_URL: "https://api.anthropic.com/" })).toMatchObject({
      provider: "anthropic",
      baseUrl: "https://api.anthropic.com"
    })
    expect(llm({ LEADLOOM_LLM_PROVIDER: "anthropic" })).toMatchObject({ baseUrl: "https://api.anthropic.com" })
    expect(llm({ LEADLOOM_LLM_BASE_URL: "http://vllm:8000/v1", LEADLOOM_LLM_API_KEY: "" })).toMatchObject({
      provider: "openai",
      baseUrl: "http://vllm:8000/v1",
      apiKey: null
    })
    expect(
      llm({ LEADLOOM_LLM_TIMEOUT_SECONDS: "5", LEADLOOM_LLM_CONCURRENCY: "2", LEADLOOM_LLM_HIPAA: "yes" })
    ).toMatchObject({
      timeoutMillis: 5_000,
      concurrency: 2,
      coversHipaa: true
    })
    expect(JSON.stringify(readConfig(named))).not.toContain("sk-0123456789")
    const wrong = (changes: Environment) => mistakesOf({ ...named, ...changes }).map((line) => line.split(" ")[0])
    expect(wrong({ LEADLOOM_LLM_API_KEY: "" })).toEqual(["LEADLOOM_LLM_API_KEY"])
    expect(wrong({ LEADLOOM_LLM_API_KEY: "", LEADLOOM_LLM_PROVIDER: "anthropic" })).toEqual(["LEADLOOM_LLM_API_KEY"])
    expect(wrong({ LEADLOOM_LLM_API_KEY: "sk-with a blank" })).toEqual(["LEADLOOM_LLM_API_KEY"])
    expect(wrong({ LEADLOOM_LLM_BASE_URL: "api.openai.com" })).toEqual(["LEADLOOM_LLM_BASE_URL"])
    expect(wrong({ LEADLOOM_LLM_BASE_URL: "https://me:secret@proxy.example/v1" })).toEqual(["LEADLOOM_LLM_BASE_URL"])
    expect(wrong({ LEADLOOM_LLM_PROVIDER: "cohere" })).toEqual(["LEADLOOM_LLM_PROVIDER"])
    expect(wrong({ LEADLOOM_LLM_TIMEOUT_SECONDS: "0" })).toEqual(["LEADLOOM_LLM_TIMEOUT_SECONDS"])
  })

  it("is read from the environment without surrounding blanks", () => {
    expect(
      readConfig({
        LEADLOOM_HOST: "0.0.0.0",
        LEADLOOM_PORT: " 80 ",
        LEADLOOM_DATA_DIR: "/var/lib/leadloom",
        LEADLOOM_DATABASE_URL: "sqlite:/elsewhere.db",
        LEADLOOM_ADMIN_KEY: "a".repeat(32),
        LEADLOOM_SESSION_SECRET: "b".repeat(32),
        LEADLOOM_SECRET_KEY: "c".repeat(32),
        LEADLOOM_LIMIT_ADMIN: "1",
        LEADLOOM_LIMIT_WEBHOOK: "2",
        LEADLOOM_LIMIT_BAD_CREDENTIALS: "3",
        LEADLOOM_LIMIT_WORKFLOW: "4",
        LEADLOOM_LIMIT_PUBLIC: "5",
        LEADLOOM_TRUSTED_PROXIES: "10.0.0.0/8,::1",
        LEADLOOM_LOG_LEVEL: "debug",
        LEADLOOM_LOG_FORMAT: "pretty",
        LEADLOOM_SMTP_URL: "smtp://ann:secret@mail.acme.com:2525",
        LEADLOOM_SMTP_LISTEN: "0.0.0.0:25",
        LEADLOOM_SMTP_TLS_CERT: "/etc/tls/cert.pem",
        LEADLOOM_SMTP_TLS_KEY: "/etc/tls/key.pem",
        LEADLOOM_OBJECTS_DIR: "/srv/mail",
        LEADLOOM_WEBHOOK_DELIVERY: "once",
        LEADLOOM_MCP: " yes ",
        LEADLOOM_CONSOLE: "off",
        LEADLOOM_EVENT_RETENTION_DAYS: "7"
      })
    ).toEqual({
      environment: expect.anything(),
      host: "0.0.0.0",
      port: 80,
      metrics: null,
      traces: null,
      dataDir: "/var/lib/leadloom",
      databaseUrl: "sqlite:/elsewhere.db",
      adminKeys: ["a".repeat(32)],
      sessionSecrets: ["b".repeat(32)],
      secretKey: "c".repeat(32),
      vaultKeys: [],
      secretKeyLost: false,
      newDatabase: false,
      limits: {
        admin: { limit: 1, windowMillis: 60_000 },
        webhook: { limit: 2, windowMillis: 60_000 },
        workflow: { limit: 4, windowMillis: 60_000 },
        publicLeads: { limit: 5, windowMillis: 60_000 },
        badCredentials: { limit: 3, windowMillis: 60_000 }
      },
      trustedProxies: ["10.0.0.0/8", "::1"],
      logLevel: "debug",
      logFormat: "pretty",
      smtpRelay: {
        host: "mail.acme.com",
        port: 2525,
        secure: false,
        requireTls: false,
        login: { user: "ann", pass: "secret" },
        name: null
      },
      smtpListen: expect.objectContaining({
        host: "0.0.0.0",
        port: 25,
        tls: { certFile: "/etc/tls/cert.pem", keyFile: "/etc/tls/key.pem" }
      }),
      clamd: null,
      oidc: null,
      consoleSignIn: null,
      crmCallers: { ssoSecret: null, actionSecrets: [] },
      llm: null,
      turnstile: null,
      stripe: null,
      crm: null,
      publicUrl: null,
      twilio: null,
      sms: [],
      nylas: null,
      oauthClients: [],
      objects: { kind: "disk", directory: "/srv/mail" },
      egress: { allowHosts: [] },
      mailboxHosts: { allowHosts: [] },
      mailboxConnectionLimit: 1_000,
      webhookDelivery: "once",
      mcp: true,
      console: false,
      emailAccountsPerTenant: 1,
      eventRetentionDays: 7
    })
  })

  const bucket = {
    LEADLOOM_S3_ENDPOINT: "https://s3.example.com",
    LEADLOOM_S3_BUCKET: "mail",
    LEADLOOM_S3_ACCESS_KEY_ID: "AKIA",
    LEADLOOM_S3_SECRET_ACCESS_KEY: "secret"
  }

  it("accepts a bucket in place of the object folder only with all of its variables", () => {
    const config = readConfig({ ...bucket, LEADLOOM_DATA_DIR: "/data" })
    expect("objects" in config ? config.objects : config).toEqual({
      kind: "s3",
      endpoint: "https://s3.example.com",
      bucket: "mail",
      region: "us-east-1",
      accessKeyId: "AKIA",
      secretAccessKey: "secret"
    })
    for (const missing of Object.keys(bucket)) {
      expect(mistakesOf({ ...bucket, [missing]: "" })).toEqual([expect.stringContaining(`${missing} is missing`)])
    }
    expect(mistakesOf({ LEADLOOM_S3_REGION: "eu-central-1" })).toHaveLength(4)
    expect(mistakesOf({ ...bucket, LEADLOOM_OBJECTS_DIR: "/srv" })).toEqual([
      expect.stringContaining("cannot be combined")
    ])
    expect(mistakesOf({ ...bucket, LEADLOOM_S3_ENDPOINT: "s3.example.com" })).toEqual([
      expect.stringContaining("LEADLOOM_S3_ENDPOINT must have the form")
    ])
  })

  it("treats an empty variable as unset", () => {
    expect(readConfig({ LEADLOOM_PORT: "", LEADLOOM_ADMIN_KEY: " ", LEADLOOM_HOST: "" })).toEqual(readConfig({}))
  })

  it.each([
    ["LEADLOOM_PORT", "abc"],
    ["LEADLOOM_PORT", "65536"],
    ["LEADLOOM_PORT", "-1"],
    ["LEADLOOM_PORT", "80.5"],
    ["LEADLOOM_PORT", "0x50"],
    ["LEADLOOM_LIMIT_ADMIN", "0"],
    ["LEADLOOM_LIMIT_WEBHOOK", "many"],
    ["LEADLOOM_LIMIT_BAD_CREDENTIALS", "1e3"],
    ["LEADLOOM_SESSION_SECRET", "s".repeat(31)],
    ["LEADLOOM_SECRET_KEY", "s".repeat(31)],
    ["LEADLOOM_ADMIN_KEY", "s".repeat(31)],
    ["LEADLOOM_ADMIN_KEY", "k"],
    ["LEADLOOM_ADMIN_KEY", "with blanks and more than 32 characters"],
    ["LEADLOOM_ADMIN_KEY", "schlüssel".repeat(4)],
    ["LEADLOOM_ADMIN_KEY", ["1", "2", "3"].map((digit) => digit.repeat(32)).join()],
    ["LEADLOOM_SESSION_SECRET", `${"s".repeat(32)},short`],
    ["LEADLOOM_SESSION_SECRET", [..."12345"].map((digit) => digit.repeat(32)).join()],
    ["LEADLOOM_LOG_LEVEL", "loud"],
    ["LEADLOOM_SMTP_URL", "mail.acme.com"]
  ])("reports %s=%s as invalid in one line", (name, value) => {
    const mistakes = mistakesOf({ [name]: value })
    expect(mistakes.length).toBe(1)
    expect(mistakes[0]).toMatch(new RegExp(`^${name} [^\\n]+$`, "u"))
  })

  it("accepts a new key with the old one, without duplicates", () => {
    const [next, former] = ["n".repeat(32), "f".repeat(32)]
    expect(
      readConfig({
        LEADLOOM_ADMIN_KEY: `${next}, ${former},${next}`,
        LEADLOOM_SESSION_SECRET: `${next},${former},`
      })
    ).toMatchObject({ adminKeys: [next, former], sessionSecrets: [next, former] })
  })

  it("reports all mistakes at once, without secrets", () => {
    const env = {
      LEADLOOM_PORT: "x",
      LEADLOOM_SESSION_SECRET: "hunter2",
      LEADLOOM_ADMIN_KEY: "hunter 3".repeat(4),
      LEADLOOM_SMTP_URL: "http://a:hunter@b"
    }
    expect(mistakesOf(env).length).toBe(4)
    expect(mistakesOf(env).join()).not.toContain("hunter")
  })
})
