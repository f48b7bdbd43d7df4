/**
 * The public API of the package: the parts with which a program writes an adapter of its own. The configuration of the
 * server selects the other adapters, so they are internal (`docs/decisions/0086-packages.md`).
 * `docs/reference/packages.md` lists the names.
 */

// HTTP requests to a provider.
export {
  defaultVerdict,
  type Problem,
  type Provider,
  type ProviderRequest,
  type ProviderResponse,
  type Refusal,
  type Retries,
  type Verdict
} from "./provider/Provider.ts"
export {
  request as requestFromProvider,
  send as sendToProvider,
  stream as streamFromProvider,
  type StreamedResponse
} from "./provider/ProviderClient.ts"
export { layerFetch } from "./provider/Fetch.ts"
export { listOf, maybe } from "./provider/Lenient.ts"

// Email.
export { composeMail } from "./smtp/ComposeMail.ts"
export { readRelay, type Relay } from "./smtp/Relay.ts"
export { layer as smtpTransportLayer } from "./smtp/SmtpTransport.ts"
export { layer as sandboxTransportLayer } from "./sandbox/SandboxTransport.ts"

// Text messages.
export {
  type InboundText,
  readReference,
  referenceOf,
  type SmsAccount,
  type SmsWebhook,
  type StatusReport,
  textArrived,
  type TextToSend
} from "./sms/SmsAccount.ts"
export { type SmsAdapter, type SmsVariable } from "./sms/SmsAdapters.ts"
export { probeSms, smsLayer } from "./sms/SmsLayer.ts"
