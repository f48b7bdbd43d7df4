/** The goal of a hostile message. */
export type InjectionGoal =
  /** Data of other people. */
  | "leak"
  /** The attacker's link in a reply of the business. */
  | "link"
  /** Keys, passwords, card numbers. */
  | "secret"
  /** The model's instructions. */
  | "prompt"
  /** Another recipient or channel for the reply. */
  | "recipient"
  /** A changed configuration, an action, a tag. */
  | "configuration"
  /** A higher score than the message deserves. */
  | "classification"

/** A hostile message. Its pattern is published, and its wording is new. */
export interface Injection {
  readonly name: string
  /** The source of the pattern. */
  readonly source: string
  readonly tries: InjectionGoal
  /** The received message. */
  readonly text: string
  /** The reply of a model that obeys the instructions in the message. */
  readonly obedientReply: string
  /** The reply repeats only text of the message itself, so it tells the sender nothing new. */
  readonly echoes?: true
}

/** The sources of the patterns. */
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
