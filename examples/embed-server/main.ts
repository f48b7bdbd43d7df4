/**
 * Starts a Leadloom server that sends mail through an HTTP API instead of SMTP.
 *
 *     MAIL_API_URL=https://mail.example.com/v1 MAIL_API_TOKEN=… LEADLOOM_ADMIN_KEY=… node main.ts
 */
import { serve } from "@leadloom/server"
import { Redacted } from "effect"
import { mailApiTransport } from "./MailApiTransport.ts"

const { MAIL_API_TOKEN = "", MAIL_API_URL = "", ...env } = process.env

process.exitCode = await serve(env, {
  adapters: { emailTransport: mailApiTransport({ url: MAIL_API_URL, token: Redacted.make(MAIL_API_TOKEN) }) },
  onListening: ({ url }) => console.log(`ready at ${url}`)
})
