// Every finding that validation can report: how serious it is to which game, what it means, and where that is known from.

/** The game whose rules apply. */
export type Game = 'wow' | 'warcraft3';

/**
 * - `error`: the game refuses the file, crashes, or shows something else than the picture
 * - `warning`: it depends on the client, or other programs stumble over it
 * - `note`: worth knowing; nothing needs to be done
 */
export type Severity = 'error' | 'warning' | 'note';

/** What is said about a code in docs/validation.md. */
export interface CodeEntry {
  /** Absent for a game to which the code does not apply. */
  severity: Partial<Record<Game, Severity>>;
  explanation: string;
  source: string;
  /** Whether {@link repair} mends it: `sometimes` depends on what the file still holds. */
  repair: 'yes' | 'sometimes' | 'no';
}

const specification = 'BLP Specifications (WC3) by Dr Super Good, hiveworkshop.com thread 279306';
const addonStudio = 'AddOn Studio wiki, "BLP file"';
const greenSquares = 'Stanzilla/WoWUIBugs issue 773 (client build 11.2.0.62610)';
const whiteTextures = 'Kanma/BLPConverter issue 17';
const realFiles = 'counted in files from public Warcraft III maps and World of Warcraft addons';

/** Every finding by its code: how serious it is to which game, what it means, where that is known from. */
export const codes = {
  'not-blp': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation: 'The file is something else; the message names what.',
    source: 'first four bytes',
    repair: 'no',
  },
  'header-truncated': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation: 'The file ends inside the header.',
    source: specification,
    repair: 'no',
  },
  'over-limit': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation:
      'Checking would take more memory or time than the limits allow; raise them to have the file checked.',
    source: 'limits of this package',
    repair: 'no',
  },
  'version-of-other-game': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation:
      'World of Warcraft reads BLP2, Warcraft III reads BLP0 and BLP1. Convert the file: `blp convert`.',
    source: 'wowdev.wiki, "BLP"',
    repair: 'no',
  },
  'type-not-1': {
    severity: { wow: 'error' },
    explanation:
      'The type must be 1; the client ships and reads no JPEG content (type 0). Mended where level 0 holds what the encoding byte says.',
    source: addonStudio,
    repair: 'sometimes',
  },
  'content-unknown': {
    severity: { warcraft3: 'error' },
    explanation:
      'The content must be 0 (JPEG) or 1 (paletted). The game takes anything else for JPEG, other programs refuse it. Mended where level 0 is a JPEG stream.',
    source: specification,
    repair: 'sometimes',
  },
  'encoding-unknown': {
    severity: { wow: 'error' },
    explanation: 'The encoding byte must be 1 (paletted), 2 (DXT), 3 or 4 (BGRA).',
    source: addonStudio,
    repair: 'no',
  },
  'alpha-type-unknown': {
    severity: { wow: 'error' },
    explanation:
      'The alpha type tells the DXT formats apart and must be 0 (DXT1), 1 (DXT3), 7 (DXT5) or 11 (BC5).',
    source: 'wowdev.wiki, "BLP"',
    repair: 'no',
  },
  'alpha-pair-unusual': {
    severity: { wow: 'warning' },
    explanation:
      'No client ships this pair of alpha depth and alpha type, so that nobody knows what it does. The depth is corrected where the decoded texels stay the same.',
    source: `${addonStudio}; ${realFiles}`,
    repair: 'sometimes',
  },
  'alpha-bits-invalid': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation:
      'JPEG content has 0 or 8 alpha bits, paletted content 0, 1, 4 or 8. The game takes anything else for 0. Some tools write the logarithm of the side here.',
    source: specification,
    repair: 'yes',
  },
  'sides-invalid': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation: 'Width and height must be 1 to 65535.',
    source: specification,
    repair: 'no',
  },
  'sides-not-power-of-two': {
    severity: { wow: 'error' },
    explanation:
      'The client shows a texture only where both sides are powers of two. Resizing changes the picture, which is left to you: `blp convert --to blp --resize`.',
    source: addonStudio,
    repair: 'no',
  },
  'cube-map-strip': {
    severity: { wow: 'note' },
    explanation:
      'Six squares side by side, as the client ships 768 × 128 for cube maps: the width is no power of two and need not be.',
    source: addonStudio,
    repair: 'no',
  },
  'side-above-512': {
    severity: { warcraft3: 'note' },
    explanation:
      'Before patch 1.27b the game takes no side above 512; until 1.29 it skips levels above 512. BLP0 is limited to 512 in any version.',
    source: specification,
    repair: 'no',
  },
  'has-mips-disagrees': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation:
      'The header says that there are no mipmaps, but the slots hold some: the game uses level 0 alone.',
    source: specification,
    repair: 'yes',
  },
  'no-mipmaps': {
    severity: { wow: 'note', warcraft3: 'note' },
    explanation:
      'The file has level 0 alone and says so. Interface pictures need no more; on a model Warcraft III shows the missing levels as transparent black.',
    source: specification,
    repair: 'no',
  },
  'chain-incomplete': {
    severity: { wow: 'warning', warcraft3: 'error' },
    explanation:
      'The header promises mipmaps, but levels down to 1 × 1 are missing. Warcraft III makes none itself, and models with such a texture may fail to load; in World of Warcraft such textures turn white after a restart of the graphics.',
    source: `${specification}; ${whiteTextures}`,
    repair: 'sometimes',
  },
  'level-past-end': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation:
      'The slot of a needed level points out of the file. World of Warcraft shows a green square in place of the texture, Warcraft III reads foreign memory and may crash. A widespread Photoshop plugin writes offset = end of data, size = 2³² − offset.',
    source: `${greenSquares}; ${specification}`,
    repair: 'sometimes',
  },
  'level-in-header': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation: 'The slot of a needed level points into the header.',
    source: specification,
    repair: 'sometimes',
  },
  'level-overlap': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation: 'Two needed levels share bytes that cannot belong to both.',
    source: realFiles,
    repair: 'sometimes',
  },
  'slot-duplicated': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation:
      'A slot repeats that of a larger level. Where the level is needed, the game shows a piece of the larger one.',
    source: realFiles,
    repair: 'yes',
  },
  'level-shares-data': {
    severity: { warcraft3: 'note' },
    explanation:
      'A paletted level of the right size lies inside the data of a larger one: a known way to save space, which the game allows. Other programs may end the chain there.',
    source: specification,
    repair: 'no',
  },
  'level-size': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation:
      'The size of a level is not what its texels take: width × height and the alpha list, `ceil(w / 4) × ceil(h / 4)` blocks, or four bytes a texel; or a JPEG stream goes on behind it.',
    source: specification,
    repair: 'sometimes',
  },
  'slot-garbage': {
    severity: { wow: 'warning', warcraft3: 'warning' },
    explanation:
      'A slot past the end of the chain holds what cannot be a level: it leaves the file, lies in the header, or has a size and no offset. The game needs no such slot, but other programs follow it.',
    source: greenSquares,
    repair: 'yes',
  },
  'extra-level': {
    severity: { wow: 'note', warcraft3: 'note' },
    explanation: 'A slot past the 1 × 1 level is used and lies within the file; it is never read.',
    source: realFiles,
    repair: 'no',
  },
  'palette-missing': {
    severity: { wow: 'error', warcraft3: 'warning' },
    explanation:
      'A level begins before the 1024 bytes of the palette end. The block must be there in BLP2 even where the encoding has no use for it; without it, level data is taken for colours.',
    source: `${specification}; ${addonStudio}`,
    repair: 'yes',
  },
  'alpha-list-missing': {
    severity: { wow: 'error', warcraft3: 'error' },
    explanation:
      'The header declares alpha, but level 0 holds indices alone. Warcraft III reads on all the same, past the level or the file, and shows what it finds as alpha.',
    source: specification,
    repair: 'yes',
  },
  'jpeg-header-size': {
    severity: { warcraft3: 'error' },
    explanation:
      'The JPEG header chunk has more than 624 bytes, which is what the buffer of the game holds.',
    source: specification,
    repair: 'sometimes',
  },
  'jpeg-header-past-end': {
    severity: { warcraft3: 'error' },
    explanation:
      'The JPEG header chunk runs past the end of the file, which the game does not check.',
    source: specification,
    repair: 'sometimes',
  },
  'jpeg-whole-in-header': {
    severity: { warcraft3: 'warning' },
    explanation:
      'The only level is empty, and the header chunk holds the whole stream. The game allows that; other programs take level 0 for missing.',
    source: specification,
    repair: 'yes',
  },
  'jpeg-undecodable': {
    severity: { warcraft3: 'error' },
    explanation: 'The JPEG stream of a level cannot be decoded; the message says why.',
    source: 'ITU-T T.81',
    repair: 'sometimes',
  },
  'jpeg-frame-size': {
    severity: { warcraft3: 'error' },
    explanation:
      'The JPEG stream of a level has other sides than the level. Windows versions cut or pad it with transparent black; some Mac versions stop with a fatal error.',
    source: specification,
    repair: 'sometimes',
  },
  'jpeg-components': {
    severity: { warcraft3: 'error' },
    explanation:
      'The JPEG stream must have four components: blue, green, red and alpha, even where alpha has 0 bits. The picture is encoded anew, which changes texels slightly.',
    source: specification,
    repair: 'sometimes',
  },
  'jpeg-progressive': {
    severity: { warcraft3: 'warning' },
    explanation:
      'The JPEG stream is progressive. Nothing documents that the old Intel library with which the game decodes takes it; yet published maps hold such files, so that it seems to. Recoded as baseline without loss.',
    source: `${specification}; ${realFiles}`,
    repair: 'sometimes',
  },
  'jpeg-alpha-plane': {
    severity: { warcraft3: 'warning' },
    explanation:
      'The header declares no alpha, but the alpha plane is not 0xFF throughout: the interface ignores it, models mix it in. A plane of zeros alone is set to 0xFF without touching the colours; any other is declared in the header.',
    source: specification,
    repair: 'sometimes',
  },
  'alpha-plane-zero': {
    severity: { warcraft3: 'note' },
    explanation:
      'The header declares alpha and the JPEG alpha plane is zero throughout: the game shows nothing. Some tools write that for pictures without alpha, which is why this package decodes them as opaque.',
    source: specification,
    repair: 'no',
  },
} as const satisfies Record<string, CodeEntry>;

/** Stable identifier of a kind of finding. */
export type FindingCode = keyof typeof codes;

/** Something that a game or a program may stumble over. */
export interface Finding {
  code: FindingCode;
  severity: Severity;
  /** The mip level or slot concerned; absent where the whole file is. */
  level?: number;
  /** Byte offset in the file of the field or the data concerned. */
  offset?: number;
  /** What was found, for people. */
  message: string;
  /** Whether {@link repair} can mend it in this file. */
  repairable: boolean;
}

/** How serious a code is to a game; undefined where it does not apply. */
export function severityOf(code: FindingCode, game: Game): Severity | undefined {
  const entry: CodeEntry = codes[code];
  return entry.severity[game];
}
