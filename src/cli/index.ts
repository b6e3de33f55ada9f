#!/usr/bin/env node
// The `blp` command: one file for each subcommand.

import { Command, CommanderError } from 'commander';
import packageDescription from '../../package.json' with { type: 'json' };
import { registerConvert } from './convert.js';
import { registerInfo } from './info.js';
import { registerRepair } from './repair.js';
import { registerValidate } from './validate.js';

const program = new Command('blp')
  .description(
    "Convert, inspect and check Blizzard's BLP textures: Warcraft III (BLP0, BLP1) and World of Warcraft (BLP2).",
  )
  .version(packageDescription.version, '-V, --version')
  .addHelpText(
    'after',
    `
Examples:
  blp convert Textures -o png       every texture of a folder to PNG
  blp convert icon.png icon.blp     a picture to a texture
  blp info icon.blp                 what a texture holds
  blp validate Textures             would the game show them?
  blp repair Media --in-place       mend those that it would not

"blp help convert" explains every option of a subcommand, and its exit codes.`,
  )
  .showHelpAfterError('(add --help for all options)')
  // Before the subcommands, which take this over: wrong usage ends with 2, since 1 means that a file failed.
  .exitOverride();

registerConvert(program);
registerInfo(program);
registerValidate(program);
registerRepair(program);

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Commander has printed what is wrong, or the help that was asked for.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
