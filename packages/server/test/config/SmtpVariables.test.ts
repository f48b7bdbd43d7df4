import { defaultLimits } from "@leadloom/connectors/internal/smtp/SmtpLimits"
import { describe, expect, it } from "vitest"
import { readConfig } from "../../src/config/Config.ts"
import type { Environment } from "../../src/config/Variables.ts"

const mistakesOf = (env: Environment): ReadonlyArray<string> => {
  const config = readConfig(env)
  return "mistakes" in config ? config.mistakes : []
}

describe("the variables of the mail listener", () => {
  it("set its limits; shares of networks and tenants scale with the spool", () => {
    const config = readConfig({
      LEADLOOM_DATA_DIR: "/var/lib/leadloom",
      LEADLOOM_SMTP_LISTEN: "0.0.0.0:25",
      LEADLOOM_SMTP_CONNECTION_LIMIT: "300",
      LEADLOOM_SMTP_CLIENT_CONNECTION_LIMIT: "20",
      LEADLOOM_SMTP_MIN_DATA_RATE: "1000",
      LEADLOOM_SMTP_TENANT_MESSAGE_RATE: "50",
      LEADLOOM_SMTP_SPOOL_MIB: "1024",
      LEADLOOM_SMTP_TRUSTED_NETWORKS: "10.0.0.0/8, ::1"
    })
    expect(config).toMatchObject({
      smtpListen: {
        limits: {
          connections: 300,
          connectionsPerNetwork: 20,
          minDataRate: 1_000,
          mailsPerMinutePerTenant: 50,
          spoolBytes: defaultLimits.spoolBytes / 2,
          spoolBytesPerNetwork: defaultLimits.spoolBytesPerNetwork / 2,
          spoolBytesPerTenant: defaultLimits.spoolBytesPerTenant / 2
        },
        trustedNetworks: ["10.0.0.0/8", "::1"],
        spoolDirectory: "/var/lib/leadloom/spool"
      }
    })
  })

  it("keep the defaults if unset, and leave room for two mails of maximum size", () => {
    const defaults = readConfig({ LEADLOOM_SMTP_LISTEN: "0.0.0.0:25" })
    const { connections, minDataRate, spoolBytes, spoolBytesPerNetwork } = defaultLimits
    const limits = { connections, minDataRate, spoolBytes, spoolBytesPerNetwork }
    expect(defaults).toMatchObject({ smtpListen: { limits, trustedNetworks: [] } })
    const small = readConfig({ LEADLOOM_SMTP_LISTEN: "0.0.0.0:25", LEADLOOM_SMTP_SPOOL_MIB: "64" })
    expect(small).toMatchObject({ smtpListen: { limits: { spoolBytesPerNetwork: 2 * defaultLimits.mailBytes } } })
  })

  it.each([
    ["LEADLOOM_SMTP_LISTEN", "25"],
    ["LEADLOOM_SMTP_LISTEN", "0.0.0.0"],
    ["LEADLOOM_SMTP_LISTEN", "0.0.0.0:65536"],
    ["LEADLOOM_SMTP_LISTEN", "::1:25"],
    ["LEADLOOM_SMTP_LISTEN", "smtp://0.0.0.0:25"],
    ["LEADLOOM_SMTP_TRUSTED_NETWORKS", "10.0.0.0/40"],
    ["LEADLOOM_SMTP_CONNECTION_LIMIT", "0"],
    ["LEADLOOM_SMTP_SPOOL_MIB", "1"]
  ])("report %s=%s as invalid in one line", (name, value) => {
    const mistakes = mistakesOf({ [name]: value })
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toMatch(new RegExp(`^${name} [^\\n]+$`, "u"))
  })

  it("read an IPv6 address in brackets", () => {
    expect(readConfig({ LEADLOOM_SMTP_LISTEN: "[::1]:2525" })).toMatchObject({
      smtpListen: { host: "::1", port: 2525, tls: null }
    })
  })

  it("require certificate and key together", () => {
    expect(mistakesOf({ LEADLOOM_SMTP_TLS_CERT: "cert.pem" })).toEqual([
      "LEADLOOM_SMTP_TLS_KEY is missing. Set certificate and key together."
    ])
    expect(mistakesOf({ LEADLOOM_SMTP_TLS_KEY: "key.pem" })).toEqual([
      "LEADLOOM_SMTP_TLS_CERT is missing. Set certificate and key together."
    ])
  })
})
