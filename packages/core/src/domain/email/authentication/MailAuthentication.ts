import { Schema } from "effect"
import { authenticationResults } from "./AuthenticationResult.ts"

/**
 * The authentication of a mail: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489) and ARC (RFC 8617). This server
 * verifies mail that arrives over SMTP (`connectors/mailauth`). The results of other mail are in
 * `Authentication-Results` (RFC 8601). Tests: `packages/core/test/domain/email/authentication`.
 */

const AuthenticationResult = Schema.Literals(authenticationResults)

/** The authentication of one mail. */
export class MailAuthentication extends Schema.Opaque<MailAuthentication>()(
  Schema.Struct({
    spf: AuthenticationResult.annotate({ description: "The sending server may send for the envelope sender" }),
    dkim: AuthenticationResult.annotate({ description: "The best result of the signatures" }),
    dmarc: AuthenticationResult.annotate({ description: "The result by the policy of the domain in From" }),
    arc: AuthenticationResult.annotate({ description: "The result of the chain of forwarding servers" }),
    fromDomainAligned: Schema.Boolean.annotate({
      description: "True if a method passed for the organisational domain of the From address"
    }),
    verifiedBy: Schema.String.annotate({
      description: "The server that authenticated the mail (authserv-id); `leadloom` for this server"
    })
  })
) {}
