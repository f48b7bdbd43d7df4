import type { ClamdConfig } from "@leadloom/connectors/internal/clamd/ClamdScanner"
import type { Variables } from "./Variables.ts"

/** The port on which clamd listens by default. */
const defaultPort = 3_310

/** Reads the address of the virus scanner; null if none is configured. */
export const readClamd = ({ text, wrong }: Variables): ClamdConfig | null => {
  const address = text("LEADLOOM_CLAMD")
  if (address === null) return null
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/iu.exec(address) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? defaultPort : Number(digits)
  if (host === undefined || port < 1 || port > 65_535)
    return wrong("LEADLOOM_CLAMD", `must be a host and port such as 127.0.0.1:3310, not "${address}".`, null)
  return { host, port }
}
