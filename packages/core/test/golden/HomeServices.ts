import type { Golden } from "./Golden.ts"

/** Golden sentences of the preset `home_services`. */
export const homeServices: ReadonlyArray<Golden> = [
  ["en", "support", "high", "emergency", "Our roof leaks and the water is coming through the bedroom ceiling."],
  ["en", "support", "high", "emergency", "A pipe burst in the basement, everything is under water"],
  ["en", "support", "high", "emergency", "We woke up without any heating and have a newborn at home."],
  ["en", "support", "high", "emergency", "I can smell gas in the kitchen, what should I do?"],
  ["en", "support", "medium", "", "The leak you were worried about never came back, all dry, thought you should know."],
  ["en", "pricing", "medium", "quote", "What would you charge for repainting two bedrooms and a hallway?"],
  ["en", "pricing", "low", "quote", "No emergency at all, I just want an idea of what a new fence costs."],
  ["en", "booking", "medium", "visit", "Could somebody come out and have a look at the gutters one afternoon?"],
  ["en", "cancellation", "medium", "reschedule", "Something came up at work, I need to cancel Thursday's visit."],
  ["en", "booking", "medium", "reschedule", "Can we move my appointment to the week after?"],
  [
    "en",
    "complaint",
    "medium",
    "complaint",
    "Your plumber left the bathroom filthy and nobody returns my calls. I'm very unhappy."
  ],
  ["en", "other", "medium", "", "I don't want to cancel anything, just confirming that I will be at home."],
  ["en", "unsubscribe", "medium", "opt_out", "Please take my number off your list and don't text me again."],
  [
    "en",
    "other",
    "medium",
    "applicant",
    "I am a licensed electrician and would love to work for you. My CV is attached."
  ],
  [
    "en",
    "support",
    "medium",
    "after_sales",
    "The water heater you fitted in March is rattling. Is that still under warranty?"
  ],
  ["en", "spam", "medium", "spam", "We can rank your website higher on Google with quality backlinks, guaranteed."],
  ["de", "support", "high", "emergency", "Bei uns tropft Wasser durch die Decke, das Dach ist undicht!"],
  [
    "de",
    "support",
    "high",
    "emergency",
    "Wir haben einen Rohrbruch im Keller, bitte kommen Sie so schnell wie möglich."
  ],
  ["de", "support", "high", "emergency", "Die Heizung ist ausgefallen und es ist eiskalt in der Wohnung."],
  ["de", "pricing", "medium", "quote", "Was kostet es ungefähr, ein Badezimmer neu zu fliesen?"],
  ["de", "booking", "medium", "visit", "Könnten wir einen Termin vereinbaren, damit jemand die Elektrik anschaut?"],
  ["de", "cancellation", "medium", "reschedule", "Leider muss ich den Termin am Dienstag absagen."],
  ["de", "pricing", "low", "quote", "Es eilt nicht, aber wir hätten gern ein Angebot für neue Fenster."],
  ["de", "complaint", "medium", "complaint", "Ich bin sehr enttäuscht, Ihre Leute haben den Parkettboden zerkratzt."],
  ["de", "other", "medium", "", "Ich möchte den Termin nicht absagen, nur die Klingel ist kaputt: bitte klopfen."],
  ["fr", "support", "high", "emergency", "Nous avons une fuite d'eau sous l'évier et ça coule partout."],
  ["fr", "support", "high", "emergency", "Plus de chauffage depuis ce matin, pouvez-vous venir en urgence ?"],
  ["fr", "pricing", "medium", "quote", "Combien coûterait le remplacement d'une chaudière ?"],
  ["fr", "pricing", "low", "quote", "Ce n'est pas urgent, je voudrais simplement un devis pour une clôture."],
  [
    "fr",
    "booking",
    "medium",
    "visit",
    "Serait-il possible de prendre rendez-vous pour une visite la semaine prochaine ?"
  ],
  ["fr", "cancellation", "medium", "reschedule", "Je dois malheureusement annuler l'intervention de jeudi."],
  [
    "fr",
    "complaint",
    "medium",
    "complaint",
    "Je suis très mécontente, le carrelage posé par votre équipe se décolle déjà."
  ],
  [
    "fr",
    "unsubscribe",
    "medium",
    "opt_out",
    "Merci de me retirer de votre liste, je ne veux plus recevoir vos messages."
  ],
  ["es", "support", "high", "emergency", "Se ha reventado una tubería y se está inundando la cocina."],
  ["es", "support", "high", "emergency", "Tenemos una gotera enorme en el techo del salón, es urgente."],
  ["es", "pricing", "medium", "quote", "¿Cuánto cobran por pintar un piso de tres habitaciones?"],
  ["es", "pricing", "low", "quote", "Sin prisa: me gustaría recibir un presupuesto para cambiar las ventanas."],
  ["es", "booking", "medium", "visit", "Quisiera concertar una cita para que revisen la instalación eléctrica."],
  ["es", "cancellation", "medium", "reschedule", "Tengo que cancelar la visita del lunes, lo siento."],
  [
    "es",
    "complaint",
    "medium",
    "complaint",
    "Estoy muy descontento con el trabajo, quiero que me devuelvan el dinero."
  ],
  ["it", "support", "high", "emergency", "Abbiamo una perdita d'acqua dal soffitto, potete venire subito?"],
  ["it", "support", "high", "emergency", "È scoppiato un tubo e la cantina è allagata."],
  ["it", "support", "high", "emergency", "Sento odore di gas vicino alla caldaia."],
  ["it", "pricing", "medium", "quote", "Quanto costa all'incirca rifare l'impianto elettrico di un bilocale?"],
  ["it", "pricing", "low", "quote", "Non è urgente, vorrei un preventivo per una nuova recinzione."],
  ["it", "booking", "medium", "visit", "Possiamo fissare un appuntamento per un sopralluogo?"],
  ["it", "cancellation", "medium", "reschedule", "Purtroppo devo disdire l'appuntamento di mercoledì."],
  ["it", "complaint", "medium", "complaint", "Sono molto deluso, il vostro tecnico ha lasciato tutto a metà."]
]
