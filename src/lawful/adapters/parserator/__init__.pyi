from . import probablepeople as probablepeople, usaddress as usaddress
