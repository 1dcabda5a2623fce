from .workbench import Workbench as Workbench
