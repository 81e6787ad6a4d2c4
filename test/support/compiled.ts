/**
 * Loads what most processes of a run load. Node keeps it compiled (`NODE_COMPILE_CACHE`) when this ends: on a new machine
 * each of the first processes would otherwise compile every module, and write it down again, which together takes three
 * times as long as loading it.
 */
import './app.ts';
import '../../workers/handlers.ts';
import '../../workers/kernel/process.ts';
import '../../start/run.ts';

process.exit(0);
