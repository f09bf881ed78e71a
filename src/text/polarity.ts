/** Words that deny, forbid, except, require or make something depend on something else, in the languages that are read. */
const words =
  /(?<![\p{L}\p{N}_])(?:not|never|no|none|nothing|nobody|nowhere|neither|nor|cannot|\p{L}+n['’]t|without|except|unless|only|always|must|but|however|although|though|until|instead|avoid|if|nicht|kein(?:e[nmrs]?)?|nie(?:mals)?|nur|immer|muss|müssen|aber|außer|ohne|falls|sondern|statt|ne|pas|jamais|aucune?|rien|sauf|seulement|toujours|mais|sans|si|doit|nunca|jamás|ning[uú]n[ao]?|nada|sin|salvo|excepto|s[oó]lo|siempre|pero|debe|sino|não|nem|sem|exceto|apenas|somente|sempre|mas|deve|non|mai|senza|tranne|soltanto|deve|però|nie|nigdy|bez|tylko|zawsze|ale|oprócz|musi|не|нет|никогда|без|кроме|только|всегда|но|нельзя|должн\p{L}*|değil|asla|hiç|yalnızca|sadece|her zaman|ama|hariç|لا|ليس|لم|لن|أبدا|فقط|دائما|नहीं|मत|कभी|केवल|सिर्फ)(?![\p{L}\p{N}_])|않|없|안 |못|말 것|마세요|말아|만 |항상|반드시|절대|하지만|제외|ない|ません|なく|禁止|だけ|のみ|必ず|絶対|しかし|除|ずに|不|没|沒|無|无|未|别|勿|只|仅|必须|总是|但|除了/iu;

/** Whether a text denies, excepts, requires or conditions anything: such a text is told whole or not at all. Linear. */
export function isPolar(text: string): boolean {
  return words.test(text);
}
