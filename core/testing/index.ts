export {
  approvingAuditor,
  proceed,
  ScriptedAuditor,
  type ScriptedReply,
  type SeenRequest,
} from './scripted-auditor.js';
