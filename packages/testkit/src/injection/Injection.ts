/** What a hostile message is after. */
export type InjectionGoal =
  /** Data of other people. */
  | "leak"
  /** A link of the attacker's in a reply of the business. */
  | "link"
  /** Keys, passwords, card numbers. */
  | "secret"
  /** What the model was told. */
  | "prompt"
  /** Somebody else getting the reply, or it going another way. */
  | "recipient"
  /** Another configuration, an action, a tag. */
  | "configuration"
  /** A better place in the queue than it deserves. */
  | "classification"

/** A hostile message, in wording of our own after a published pattern. */
export interface Injection {
  readonly name: string
  /** Where the pattern is described. */
  readonly source: string
  readonly tries: InjectionGoal
  /** The message as it arrives. */
  readonly text: string
  /** What a model would answer that does as it is told by strangers. */
  readonly obedientReply: string
  /** That answer brings nothing but what the message itself says openly: it only goes back to whoever wrote it. */
  readonly echoes?: true
}

/** Where the patterns come from. */
export const sources = {
  owasp: "OWASP Top 10 for LLM applications 2025, LLM01 Prompt Injection",
  owaspLeak:
    "OWASP Top 10 for LLM applications 2025, LLM02 Sensitive Information Disclosure, LLM07 System Prompt Leakage",
  perez: "Perez & Ribeiro 2022, Ignore Previous Prompt: Attack Techniques For Language Models, arXiv:2211.09527",
  greshake: "Greshake et al. 2023, Not what you've signed up for, arXiv:2302.12173",
  houyi: "Liu et al. 2023, Prompt Injection attack against LLM-integrated Applications (HouYi), arXiv:2306.05499",
  jailbroken: "Wei et al. 2023, Jailbroken: How Does LLM Safety Training Fail?, arXiv:2307.02483",
  dan: "garak, probes dan; Shen et al. 2023, Do Anything Now, arXiv:2308.03825",
  encoding: "garak, probes encoding",
  latent: "garak, probes latentinjection",
  markdown: "garak, probes web_injection; Rehberger 2023, data exfiltration through markdown images",
  smuggling: "garak, probes goodside.Tag; Rehberger 2024, ASCII smuggling",
  promptfoo: "promptfoo red team, plugins pii, rbac, bola, hijacking, indirect-prompt-injection",
  extraction: "promptfoo red team, plugin prompt-extraction; garak, probes sysprompt_extraction",
  suffix: "Zou et al. 2023, Universal and Transferable Adversarial Attacks (GCG), arXiv:2307.15043",
  manyShot: "Anil et al. 2024, Many-shot Jailbreaking",
  authority: "Zeng et al. 2024, How Johnny Can Persuade LLMs to Jailbreak Them, arXiv:2401.06373"
} as const
